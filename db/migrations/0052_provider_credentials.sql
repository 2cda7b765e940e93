-- Several credentials of one provider, each with a weight. The first one keeps its value in the provider's row, where replicas of
-- the previous release read it; its row here has the id of the provider and no value.
CREATE TABLE provider_credentials (
  id text PRIMARY KEY,
  provider_id text NOT NULL REFERENCES providers (id) ON DELETE CASCADE,
  label text NOT NULL CHECK (label ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  -- The share of its requests among the credentials of the provider.
  weight integer NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 1000000),
  -- null: in the row of the provider.
  credential_sealed bytea CHECK ((credential_sealed IS NULL) = (id = provider_id)),
  -- Changes with the value, and when the credential is used again after it was set aside.
  version integer NOT NULL DEFAULT 1,
  -- The provider refused it at this time: it is used only if no other one is left.
  set_aside_at timestamptz,
  set_aside_cause text CHECK (set_aside_cause IN ('refused', 'no_credit')),
  -- What the provider said, redacted.
  set_aside_message text,
  -- When operators got an email about it.
  notified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, label),
  CHECK ((set_aside_at IS NULL) = (set_aside_cause IS NULL)),
  CHECK (set_aside_at IS NOT NULL OR set_aside_message IS NULL)
);

INSERT INTO provider_credentials (id, provider_id, label, created_at)
  SELECT id, id, 'first', created_at FROM providers WHERE dialect <> 'demo';

-- A new provider has its first credential. A credential with another value or address was not refused yet.
CREATE FUNCTION keep_first_credential() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER providers_first_credential AFTER INSERT ON providers
  FOR EACH ROW WHEN (NEW.dialect <> 'demo') EXECUTE FUNCTION keep_first_credential();
CREATE TRIGGER providers_changed_credential AFTER UPDATE ON providers
  FOR EACH ROW WHEN (
    (OLD.credential_sealed, OLD.credential_env, OLD.headers_sealed, OLD.base_url)
    IS DISTINCT FROM (NEW.credential_sealed, NEW.credential_env, NEW.headers_sealed, NEW.base_url)
  ) EXECUTE FUNCTION keep_first_credential();

CREATE TRIGGER provider_credentials_notify AFTER INSERT OR UPDATE OR DELETE ON provider_credentials
  FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_change();
