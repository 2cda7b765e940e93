-- Sends 'catalogue': replicas read the catalogue again.
CREATE OR REPLACE FUNCTION notify_catalogue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'catalogue');
  RETURN NULL;
END $$;
