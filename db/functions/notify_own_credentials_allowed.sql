-- Sends 'account <id>' for each account with a credential for the provider: cached keys contain whether it allows them.
CREATE OR REPLACE FUNCTION notify_own_credentials_allowed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'account ' || account_id) FROM own_credentials WHERE provider_id = NEW.id;
  RETURN NULL;
END $$;
