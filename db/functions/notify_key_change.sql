-- Sends 'key <hash in hex> <account id>': replicas read the key again, and pages of the account show the change.
CREATE OR REPLACE FUNCTION notify_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes',
    'key ' || encode(coalesce(NEW.hash, OLD.hash), 'hex') || ' ' || coalesce(NEW.account_id, OLD.account_id));
  RETURN NULL;
END $$;
