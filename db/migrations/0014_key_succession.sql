-- Keys that follow one another, tags, and ends of sessions that are told.

ALTER TABLE api_keys
  -- For finding keys only: not part of the scope, so they may change.
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 10),
  -- The key whose place this one takes.
  ADD COLUMN successor_of text UNIQUE REFERENCES api_keys,
  -- When a key that was replaced stops working, if it does not expire sooner.
  ADD COLUMN ends_at timestamptz;
CREATE INDEX api_keys_tags ON api_keys USING gin (tags);
CREATE INDEX api_keys_name ON api_keys (account_id, lower(name), id);

-- What counts as spent though no request of this key cost it: what it gave to its successor, and of a successor
-- what its predecessor has spent or keeps. Over a key and all its successors, the budgets less what is carried make one
-- budget.
ALTER TABLE key_totals ADD COLUMN carried_nano_usd bigint NOT NULL DEFAULT 0 CHECK (carried_nano_usd >= 0);

-- A key's scope is fixed for its life; revocation happens once and is final, and so does being replaced.
CREATE OR REPLACE FUNCTION refuse_scope_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.account_id, NEW.name, NEW.hash, NEW.prefix, NEW.last4, NEW.created_at, NEW.successor_of)
       IS DISTINCT FROM
     (OLD.id, OLD.account_id, OLD.name, OLD.hash, OLD.prefix, OLD.last4, OLD.created_at, OLD.successor_of)
     OR (NEW.allowed_models, NEW.max_budget_nano_usd, NEW.rpm, NEW.tpm, NEW.expires_at)
       IS DISTINCT FROM (OLD.allowed_models, OLD.max_budget_nano_usd, OLD.rpm, OLD.tpm, OLD.expires_at) THEN
    RAISE EXCEPTION 'the scope of an API key cannot be changed' USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN
    RAISE EXCEPTION 'a revoked API key stays revoked' USING ERRCODE = 'restrict_violation';
  END IF;
  IF OLD.ends_at IS NOT NULL AND NEW.ends_at IS DISTINCT FROM OLD.ends_at THEN
    RAISE EXCEPTION 'the end of a replaced API key cannot be changed' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- 'key <hash in hex> <account id>': pages of the account show what has changed.
CREATE OR REPLACE FUNCTION notify_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes',
    'key ' || encode(coalesce(NEW.hash, OLD.hash), 'hex') || ' ' || coalesce(NEW.account_id, OLD.account_id));
  RETURN NULL;
END $$;

-- 'session <id in hex>': what the session has open is closed, on every replica.
CREATE FUNCTION notify_session_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'session ' || encode(OLD.id, 'hex'));
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_notify AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION notify_session_end();
