-- Sends 'plans': replicas read every key again.
CREATE OR REPLACE FUNCTION notify_plan_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'plans');
  RETURN NULL;
END $$;
