-- Sends 'account <id>': after a change of a role, pages show only what the new role may see.
CREATE OR REPLACE FUNCTION notify_membership_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'account ' || coalesce(NEW.account_id, OLD.account_id));
  RETURN NULL;
END $$;
