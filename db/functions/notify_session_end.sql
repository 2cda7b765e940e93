-- Sends 'session <id in hex>': every replica closes the connections of the session.
CREATE OR REPLACE FUNCTION notify_session_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'session ' || encode(OLD.id, 'hex'));
  RETURN NULL;
END $$;
