-- Credentials of accounts: requests of the account on routes to the provider use its own credential.
ALTER TABLE providers ADD COLUMN allows_own_credentials boolean NOT NULL DEFAULT false;

-- The price multiplier of requests with a credential of the account, in parts per million of the model's price.
ALTER TABLE plans ADD COLUMN own_credential_ppm integer NOT NULL DEFAULT 0
  CHECK (own_credential_ppm BETWEEN 0 AND 100000000);

CREATE TABLE own_credentials (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  provider_id text NOT NULL REFERENCES providers (id) ON DELETE CASCADE,
  -- first: before those of the provider; only: never with those.
  mode text NOT NULL CHECK (mode IN ('first', 'only')),
  credential_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, provider_id)
);
CREATE INDEX own_credentials_by_provider ON own_credentials (provider_id);

-- Replicas read the keys of the account again.
CREATE FUNCTION notify_own_credential_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'account ' || coalesce(NEW.account_id, OLD.account_id));
  RETURN NULL;
END $$;
CREATE TRIGGER own_credentials_notify AFTER INSERT OR UPDATE OR DELETE ON own_credentials
  FOR EACH ROW EXECUTE FUNCTION notify_own_credential_change();

-- Cached keys contain whether the provider allows it.
CREATE FUNCTION notify_own_credentials_allowed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'account ' || account_id) FROM own_credentials WHERE provider_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER providers_own_credentials AFTER UPDATE OF allows_own_credentials ON providers
  FOR EACH ROW WHEN (OLD.allows_own_credentials IS DISTINCT FROM NEW.allows_own_credentials)
  EXECUTE FUNCTION notify_own_credentials_allowed();

-- True: the provider billed the account itself, which pays the plan's fee.
ALTER TABLE requests ADD COLUMN own_credential boolean NOT NULL DEFAULT false;
ALTER TYPE settlement ADD ATTRIBUTE own_credential boolean;
