-- A new provider has its first credential. A credential with another value or address was not refused yet.
CREATE OR REPLACE FUNCTION keep_first_credential() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO provider_credentials (id, provider_id, label) VALUES (NEW.id, NEW.id, 'first');
  ELSE
    UPDATE provider_credentials SET version = version + 1, set_aside_at = NULL, set_aside_cause = NULL,
      set_aside_message = NULL, notified_at = NULL
    WHERE provider_id = NEW.id AND (id = NEW.id
      OR (OLD.headers_sealed, OLD.base_url) IS DISTINCT FROM (NEW.headers_sealed, NEW.base_url));
  END IF;
  RETURN NULL;
END $$;
