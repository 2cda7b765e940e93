-- Accounts, people, keys, the catalogue, and the record of every request.

CREATE TABLE users (
  id text PRIMARY KEY,
  email text NOT NULL,
  password_hash text NOT NULL,
  email_verified_at timestamptz,
  is_operator boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email_unique ON users (lower(email));

CREATE TABLE sessions (
  id bytea PRIMARY KEY CHECK (octet_length(id) = 32),
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE one_time_codes (
  id text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('verify_email', 'change_email', 'reset_password', 'operator_setup')),
  user_id text REFERENCES users ON DELETE CASCADE,
  email text,
  code_hash bytea CHECK (octet_length(code_hash) = 32),
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  attempts_left integer NOT NULL DEFAULT 5 CHECK (attempts_left >= 0),
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz,
  CHECK (purpose = 'operator_setup' OR (user_id IS NOT NULL AND email IS NOT NULL))
);
CREATE INDEX one_time_codes_user ON one_time_codes (user_id, purpose, created_at DESC);

CREATE TABLE throttles (
  bucket text PRIMARY KEY,
  window_started_at timestamptz NOT NULL,
  hits integer NOT NULL CHECK (hits > 0)
);
CREATE INDEX throttles_age ON throttles (window_started_at);

CREATE TABLE accounts (
  id text PRIMARY KEY,
  name text NOT NULL,
  suspended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE memberships (
  user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, account_id)
);
CREATE INDEX memberships_account ON memberships (account_id);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  created_by text REFERENCES users ON DELETE SET NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  prefix text NOT NULL,
  last4 text NOT NULL,
  allowed_models text[] CHECK (cardinality(allowed_models) BETWEEN 1 AND 200),
  max_budget_nano_usd bigint CHECK (max_budget_nano_usd BETWEEN 1 AND 1000000000000000),
  rpm integer CHECK (rpm BETWEEN 1 AND 1000000),
  tpm integer CHECK (tpm BETWEEN 1 AND 1000000000),
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE INDEX api_keys_account ON api_keys (account_id, created_at DESC, id DESC);

-- The hot row of a key, apart from api_keys: it changes with every batch of requests, the scope never does.
CREATE TABLE key_totals (
  key_id text PRIMARY KEY REFERENCES api_keys ON DELETE CASCADE,
  spent_nano_usd bigint NOT NULL DEFAULT 0 CHECK (spent_nano_usd >= 0),
  held_nano_usd bigint NOT NULL DEFAULT 0 CHECK (held_nano_usd >= 0),
  last_used_at timestamptz
) WITH (fillfactor = 50);

CREATE TABLE providers (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  dialect text NOT NULL CHECK (dialect IN ('openai-chat', 'anthropic-messages', 'demo')),
  base_url text CHECK ((dialect = 'demo') = (base_url IS NULL)),
  credential_sealed bytea,
  credential_env text,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (credential_sealed IS NULL OR credential_env IS NULL)
);

CREATE TABLE models (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 200),
  context_tokens integer CHECK (context_tokens > 0),
  max_output_tokens integer CHECK (max_output_tokens > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE model_prices (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  model_id text NOT NULL REFERENCES models ON DELETE CASCADE,
  effective_from timestamptz NOT NULL DEFAULT now(),
  input_nano_usd_per_mtok bigint NOT NULL CHECK (input_nano_usd_per_mtok >= 0),
  output_nano_usd_per_mtok bigint NOT NULL CHECK (output_nano_usd_per_mtok >= 0),
  cache_read_nano_usd_per_mtok bigint CHECK (cache_read_nano_usd_per_mtok >= 0),
  cache_write_nano_usd_per_mtok bigint CHECK (cache_write_nano_usd_per_mtok >= 0),
  UNIQUE (model_id, effective_from)
);

CREATE TABLE routes (
  id text PRIMARY KEY,
  model_id text NOT NULL REFERENCES models ON DELETE CASCADE,
  provider_id text NOT NULL REFERENCES providers ON DELETE CASCADE,
  upstream_model text,
  priority integer NOT NULL DEFAULT 0,
  weight integer NOT NULL DEFAULT 1 CHECK (weight > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX routes_unique ON routes (model_id, provider_id, coalesce(upstream_model, ''));

CREATE TABLE requests (
  id text NOT NULL,
  started_at timestamptz NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  endpoint text NOT NULL,
  model text,
  provider text,
  upstream_model text,
  streamed boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('held', 'settled')),
  status integer NOT NULL,
  error_code text,
  input_tokens integer NOT NULL DEFAULT 0,
  cache_read_tokens integer NOT NULL DEFAULT 0,
  cache_write_tokens integer NOT NULL DEFAULT 0,
  output_tokens integer NOT NULL DEFAULT 0,
  estimated boolean NOT NULL DEFAULT false,
  price_id bigint,
  cost_nano_usd bigint NOT NULL DEFAULT 0 CHECK (cost_nano_usd >= 0),
  latency_ms integer NOT NULL,
  first_byte_ms integer,
  PRIMARY KEY (id, started_at)
) PARTITION BY RANGE (started_at);

-- Rolled up in the transaction that writes the requests, so that no chart and no list scans them.
CREATE TABLE usage_hourly (
  hour timestamptz NOT NULL,
  account_id text NOT NULL,
  key_id text NOT NULL,
  model text NOT NULL,
  requests bigint NOT NULL DEFAULT 0,
  errors bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  cache_read_tokens bigint NOT NULL DEFAULT 0,
  cache_write_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cost_nano_usd bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (key_id, hour, model)
);
CREATE INDEX usage_hourly_account ON usage_hourly (account_id, hour);

CREATE TABLE audit_log (
  id text PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor_user_id text,
  account_id text,
  action text NOT NULL,
  subject text,
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_log_account ON audit_log (account_id, at DESC);

-- Mails wait here until they are sent. The body is sealed: it carries codes and links.
CREATE TABLE outbox (
  id text PRIMARY KEY,
  recipient text NOT NULL,
  subject text NOT NULL,
  body_sealed bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  last_error text
);
CREATE INDEX outbox_pending ON outbox (next_attempt_at) WHERE sent_at IS NULL;

-- A key's scope is fixed for its life; revocation happens once and is final.
CREATE FUNCTION refuse_scope_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.account_id, NEW.name, NEW.hash, NEW.prefix, NEW.last4, NEW.created_at)
       IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.name, OLD.hash, OLD.prefix, OLD.last4, OLD.created_at)
     OR (NEW.allowed_models, NEW.max_budget_nano_usd, NEW.rpm, NEW.tpm, NEW.expires_at)
       IS DISTINCT FROM (OLD.allowed_models, OLD.max_budget_nano_usd, OLD.rpm, OLD.tpm, OLD.expires_at) THEN
    RAISE EXCEPTION 'the scope of an API key cannot be changed' USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN
    RAISE EXCEPTION 'a revoked API key stays revoked' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_scope_is_fixed BEFORE UPDATE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION refuse_scope_change();

-- Every replica LISTENs on tollgate_changes and drops what a payload names:
-- 'key <hash in hex>', 'account <id>' or 'catalogue'.
CREATE FUNCTION notify_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'key ' || encode(coalesce(NEW.hash, OLD.hash), 'hex'));
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_notify AFTER INSERT OR UPDATE OR DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION notify_key_change();

CREATE FUNCTION notify_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'account ' || coalesce(NEW.id, OLD.id));
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_notify AFTER UPDATE OR DELETE ON accounts
  FOR EACH ROW EXECUTE FUNCTION notify_account_change();

CREATE FUNCTION notify_catalogue_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'catalogue');
  RETURN NULL;
END $$;
CREATE TRIGGER providers_notify AFTER INSERT OR UPDATE OR DELETE ON providers
  FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_change();
CREATE TRIGGER models_notify AFTER INSERT OR UPDATE OR DELETE ON models
  FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_change();
CREATE TRIGGER model_prices_notify AFTER INSERT OR UPDATE OR DELETE ON model_prices
  FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_change();
CREATE TRIGGER routes_notify AFTER INSERT OR UPDATE OR DELETE ON routes
  FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_change();

-- Makes the monthly partitions of requests from last month to `months_ahead` months from now.
CREATE FUNCTION ensure_request_partitions(months_ahead integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('tollgate request partitions'));
  FOR offset_months IN -1 .. months_ahead LOOP
    month := (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => offset_months)) AT TIME ZONE 'UTC';
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF requests FOR VALUES FROM (%L) TO (%L)',
      'requests_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM'),
      month, ((month AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC');
  END LOOP;
END $$;
SELECT ensure_request_partitions(3);
