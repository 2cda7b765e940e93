-- Sends 'account <id>': replicas read the keys of the account again.
CREATE OR REPLACE FUNCTION notify_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'account ' || coalesce(NEW.id, OLD.id));
  RETURN NULL;
END $$;
