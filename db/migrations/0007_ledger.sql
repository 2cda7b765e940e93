-- Money: plans, prepaid balances, holds and the ledger.

-- What an account may use, how fast, and how it pays.
CREATE TABLE plans (
  id text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  -- null: every model.
  allowed_models text[] CHECK (cardinality(allowed_models) BETWEEN 1 AND 200),
  -- Over all keys of an account; null: no limit.
  rpm integer CHECK (rpm BETWEEN 1 AND 1000000),
  tpm integer CHECK (tpm BETWEEN 1 AND 1000000000),
  -- What a request costs, in millionths of the model's price.
  price_ppm integer NOT NULL DEFAULT 1000000 CHECK (price_ppm BETWEEN 0 AND 100000000),
  -- Given once to an account whose owner has a verified e-mail.
  included_credit_nano_usd bigint NOT NULL DEFAULT 0 CHECK (included_credit_nano_usd BETWEEN 0 AND 1000000000000000),
  -- False: usage is recorded and nothing is charged.
  is_prepaid boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO plans (id, rpm, tpm, included_credit_nano_usd, is_prepaid) VALUES
  ('free', 60, 200000, 1000000000, true),
  ('standard', NULL, NULL, 0, true),
  ('internal', NULL, NULL, 0, false);

-- Accounts that were there before there was a balance go on as they did.
ALTER TABLE accounts ADD COLUMN plan_id text NOT NULL DEFAULT 'internal' REFERENCES plans;
ALTER TABLE accounts ALTER COLUMN plan_id SET DEFAULT 'free';
CREATE INDEX accounts_plan ON accounts (plan_id);

-- The hot row of an account, apart from accounts. `available` falls with every settled request, and is posted to
-- ledger_entries by the hour. It is below zero only where a payment was taken back after it was spent.
CREATE TABLE balances (
  account_id text PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  available_nano_usd bigint NOT NULL DEFAULT 0,
  held_nano_usd bigint NOT NULL DEFAULT 0 CHECK (held_nano_usd >= 0)
) WITH (fillfactor = 50);
INSERT INTO balances (account_id) SELECT id FROM accounts;

CREATE FUNCTION open_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO balances (account_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_open_balance AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION open_balance();

-- Double entry: each row takes an amount from one book and gives it to another, so it cannot fail to balance.
-- 'wallet' is the account's; the others are the operator's.
CREATE TABLE ledger_entries (
  id text PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  account_id text NOT NULL REFERENCES accounts,
  kind text NOT NULL CHECK (kind IN ('top_up', 'credit', 'usage', 'adjustment', 'refund', 'dispute', 'dispute_won')),
  debit text NOT NULL CHECK (debit IN ('wallet', 'payments', 'credits', 'usage', 'adjustments')),
  credit text NOT NULL CHECK (credit IN ('wallet', 'payments', 'credits', 'usage', 'adjustments')),
  amount_nano_usd bigint NOT NULL CHECK (amount_nano_usd > 0),
  idempotency_key text NOT NULL UNIQUE,
  reason text,
  -- Of usage: whose, and in which hour.
  key_id text,
  usage_hour timestamptz,
  payment_id text,
  CHECK ((debit = 'wallet') <> (credit = 'wallet'))
);
CREATE INDEX ledger_entries_account ON ledger_entries (account_id, at DESC, id DESC);

CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger entries are never changed' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_entries_no_truncate BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

-- Who may hold money: a process of the api, for as long as it says that it lives.
CREATE TABLE replicas (
  id text PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT now(),
  heartbeat_at timestamptz NOT NULL DEFAULT now()
);

-- A request that is held has status 0, and in cost_nano_usd what is billed if nobody ever tells how it ended.
ALTER TABLE requests
  ADD COLUMN held_nano_usd bigint NOT NULL DEFAULT 0 CHECK (held_nano_usd >= 0),
  ADD COLUMN replica_id text,
  ADD COLUMN charges_balance boolean NOT NULL DEFAULT false,
  ADD COLUMN price_ppm integer NOT NULL DEFAULT 1000000,
  ADD COLUMN operator_cost_nano_usd bigint NOT NULL DEFAULT 0 CHECK (operator_cost_nano_usd >= 0),
  ADD COLUMN cache_write_1h_tokens integer NOT NULL DEFAULT 0,
  -- Billed by an estimate, since its replica died; the truth replaces it when it is told after all.
  ADD COLUMN recovered boolean NOT NULL DEFAULT false;
CREATE INDEX requests_held ON requests (replica_id) WHERE state = 'held';

ALTER TABLE usage_hourly
  ADD COLUMN cache_write_1h_tokens bigint NOT NULL DEFAULT 0,
  ADD COLUMN operator_cost_nano_usd bigint NOT NULL DEFAULT 0,
  -- The part of the cost that the balance paid, and how much of that is in ledger_entries.
  ADD COLUMN charged_nano_usd bigint NOT NULL DEFAULT 0,
  ADD COLUMN posted_nano_usd bigint NOT NULL DEFAULT 0;
ALTER TABLE usage_hourly SET (fillfactor = 70);
CREATE INDEX usage_hourly_hour ON usage_hourly (hour);

-- 'plans' makes every replica forget what it knows of keys.
CREATE FUNCTION notify_plan_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_changes', 'plans');
  RETURN NULL;
END $$;
CREATE TRIGGER plans_notify AFTER UPDATE OR DELETE ON plans
  FOR EACH STATEMENT EXECUTE FUNCTION notify_plan_change();

-- An entry that is no usage moves the balance: replicas read it again.
CREATE FUNCTION move_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind <> 'usage' THEN
    UPDATE balances SET available_nano_usd = available_nano_usd
      + CASE WHEN NEW.credit = 'wallet' THEN NEW.amount_nano_usd ELSE -NEW.amount_nano_usd END
      WHERE account_id = NEW.account_id;
    PERFORM pg_notify('tollgate_changes', 'account ' || NEW.account_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entries_move_balance AFTER INSERT ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION move_balance();
