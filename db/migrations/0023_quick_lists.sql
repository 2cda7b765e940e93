-- What lists and reports are read from, so that each page costs the same however many keys and requests there are.
-- Nothing here stands in the way of a settlement: the rows that it writes have no index and no trigger more than before.

-- What a list of keys is searched by stands in the index of its order, which is read without the table.
ALTER TABLE api_keys ADD COLUMN search_text text NOT NULL
  GENERATED ALWAYS AS (lower(name || E'\n' || prefix || E'\n' || last4)) STORED;
DROP INDEX api_keys_account;
CREATE INDEX api_keys_account ON api_keys (account_id, created_at DESC, id DESC)
  INCLUDE (revoked_at, expires_at, ends_at, search_text);
-- How many there are, and how many have ended or are about to.
CREATE INDEX api_keys_count ON api_keys (account_id);
CREATE INDEX api_keys_ending ON api_keys (account_id) INCLUDE (revoked_at, expires_at, ends_at)
  WHERE revoked_at IS NOT NULL OR expires_at IS NOT NULL OR ends_at IS NOT NULL;
CREATE INDEX api_keys_tagged ON api_keys (account_id, created_at DESC) INCLUDE (tags) WHERE cardinality(tags) > 0;
-- Of keys that may call some models, and of those that may call all.
CREATE INDEX api_keys_models ON api_keys USING gin (allowed_models);
CREATE INDEX api_keys_all_models ON api_keys (account_id) WHERE allowed_models IS NULL;

-- In which order keys are listed by spend and by last use: a copy of key_totals that is some seconds old.
CREATE TABLE key_standings (
  key_id text PRIMARY KEY REFERENCES api_keys ON DELETE CASCADE,
  account_id text NOT NULL,
  -- What its own requests cost.
  spent_nano_usd bigint NOT NULL DEFAULT 0,
  -- A key that was never used was used before all others.
  last_used_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO key_standings
  SELECT k.id, k.account_id, t.spent_nano_usd - t.carried_nano_usd, coalesce(t.last_used_at, '-infinity')
  FROM api_keys k JOIN key_totals t ON t.key_id = k.id;
CREATE INDEX key_standings_spent ON key_standings (account_id, spent_nano_usd DESC, key_id DESC);
CREATE INDEX key_standings_used ON key_standings (account_id, last_used_at DESC, key_id DESC);

CREATE FUNCTION open_standing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_standings (key_id, account_id) VALUES (NEW.id, NEW.account_id);
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_open_standing AFTER INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION open_standing();

-- usage_hourly summed over the keys of an account, and over the hours of a UTC day. Hours before usage_rolled.until are
-- in them.
CREATE TABLE usage_account_hourly (
  account_id text NOT NULL,
  hour timestamptz NOT NULL,
  model text NOT NULL,
  requests bigint NOT NULL,
  errors bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cache_read_tokens bigint NOT NULL,
  cache_write_tokens bigint NOT NULL,
  cache_write_1h_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cost_nano_usd bigint NOT NULL,
  latency_counts integer[] NOT NULL,
  first_byte_counts integer[] NOT NULL,
  PRIMARY KEY (account_id, hour, model)
);
CREATE TABLE usage_key_daily (
  account_id text NOT NULL,
  day timestamptz NOT NULL,
  key_id text NOT NULL,
  model text NOT NULL,
  requests bigint NOT NULL,
  errors bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cache_read_tokens bigint NOT NULL,
  cache_write_tokens bigint NOT NULL,
  cache_write_1h_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cost_nano_usd bigint NOT NULL,
  latency_counts integer[] NOT NULL,
  first_byte_counts integer[] NOT NULL,
  PRIMARY KEY (account_id, day, key_id, model)
);
CREATE TABLE usage_rolled (
  -- There is one row.
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- It never goes back.
  until timestamptz NOT NULL DEFAULT 'epoch'
);
INSERT INTO usage_rolled DEFAULT VALUES;
-- Hours that were written to long after they ended, or are not in the ledger: while one is here, usage_hourly alone is
-- right about it. Each writer adds a row of its own, also where there is one: one that was taken out meanwhile would not
-- stand for what is written now.
CREATE TABLE usage_late_hours (
  account_id text NOT NULL,
  key_id text NOT NULL,
  hour timestamptz NOT NULL
);
CREATE INDEX usage_late_hours_account ON usage_late_hours (account_id, hour);

-- The operator's lists, of one state and of all.
CREATE INDEX accounts_suspended ON accounts (id DESC) WHERE suspended_at IS NOT NULL;
CREATE INDEX payments_state ON payments (state, id DESC);
CREATE INDEX payments_search ON payments (id DESC) INCLUDE (state, account_id, payer_email);
CREATE INDEX payment_events_outcome ON payment_events (outcome, received_at DESC, id DESC);
CREATE INDEX outbox_waiting ON outbox (id DESC) WHERE sent_at IS NULL AND body_sealed IS NOT NULL;
CREATE INDEX outbox_given_up ON outbox (id DESC) WHERE sent_at IS NULL AND body_sealed IS NULL;
CREATE INDEX outbox_sent ON outbox (id DESC) WHERE sent_at IS NOT NULL;
-- The audit log by kind: the first word of an action.
CREATE INDEX audit_log_account_kind ON audit_log (account_id, split_part(action, '.', 1), at DESC, id DESC);
