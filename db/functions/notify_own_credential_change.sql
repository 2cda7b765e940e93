-- Sends 'account <id>': replicas read the keys of the account again.
CREATE OR REPLACE FUNCTION notify_own_credential_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'account ' || coalesce(NEW.account_id, OLD.account_id));
  RETURN NULL;
END $$;
