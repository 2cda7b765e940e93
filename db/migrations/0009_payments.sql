-- Payments: how money comes into a balance, and how it is taken back.

CREATE SEQUENCE receipt_numbers;

CREATE TABLE payments (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts,
  -- null: the person is gone, or nobody was there (an automatic top-up).
  created_by text REFERENCES users ON DELETE SET NULL,
  kind text NOT NULL CHECK (kind IN ('checkout', 'auto')),
  -- Who takes the money; 'test' moves none.
  provider text NOT NULL CHECK (provider IN ('stripe', 'test')),
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL DEFAULT 'usd' CHECK (currency = 'usd'),
  state text NOT NULL DEFAULT 'created' CHECK (state IN
    ('created', 'pending', 'paid', 'failed', 'expired', 'refunded_part', 'refunded', 'disputed')),
  -- True: the person lets us charge the method again.
  saves_method boolean NOT NULL DEFAULT false,
  checkout_session_id text UNIQUE,
  payment_intent_id text UNIQUE,
  -- In the provider's words, of the last try.
  failure text,
  -- Who pays, as it was when they did: a receipt never changes.
  payer_email text NOT NULL,
  method_brand text,
  method_last4 text,
  receipt_number text UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- When the balance was credited; null: never.
  paid_at timestamptz,
  CHECK ((paid_at IS NULL) = (receipt_number IS NULL)),
  CHECK ((paid_at IS NULL) = (state IN ('created', 'pending', 'failed', 'expired')))
);
CREATE INDEX payments_account ON payments (account_id, id DESC);
CREATE INDEX payments_open ON payments (created_at) WHERE state IN ('created', 'pending');
-- An account is charged by itself for one top-up at a time.
CREATE UNIQUE INDEX payments_one_auto_top_up ON payments (account_id)
  WHERE kind = 'auto' AND state IN ('created', 'pending');

-- A refund or a dispute: what takes a payment back, in part or whole, and may give it back again.
CREATE TABLE payment_reversals (
  -- The provider's.
  id text PRIMARY KEY,
  payment_id text NOT NULL REFERENCES payments,
  kind text NOT NULL CHECK (kind IN ('refund', 'dispute')),
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  -- 'returned' is final: the refund failed, the dispute was won.
  state text NOT NULL CHECK (state IN ('open', 'returned')),
  -- What was taken from the balance for it; null: nothing yet. Never more in sum than the payment gave.
  taken_cents integer CHECK (taken_cents >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX payment_reversals_payment ON payment_reversals (payment_id);

-- Every event that a provider told, once. What was told is kept as far as it concerns us.
CREATE TABLE payment_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  -- When the provider made it.
  created_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  -- null: an event that concerns no payment.
  facts jsonb,
  payment_id text REFERENCES payments,
  outcome text NOT NULL CHECK (outcome IN ('applied', 'unchanged', 'ignored', 'refused')),
  -- Why it was refused.
  reason text
);
CREATE INDEX payment_events_payment ON payment_events (payment_id) WHERE payment_id IS NOT NULL;

-- The account as a provider knows it, and the method that it may charge again.
CREATE TABLE payment_methods (
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  provider text NOT NULL CHECK (provider IN ('stripe', 'test')),
  customer_id text NOT NULL,
  -- null: none was saved.
  method_id text,
  brand text,
  last4 text,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, provider)
);

CREATE TABLE auto_top_ups (
  account_id text PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  enabled boolean NOT NULL,
  -- Charged when less than this is available.
  threshold_nano_usd bigint NOT NULL CHECK (threshold_nano_usd BETWEEN 0 AND 1000000000000000),
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  -- In a row; a payment that goes through sets it back.
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- Not before; null: at once.
  next_attempt_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX auto_top_ups_enabled ON auto_top_ups (account_id) WHERE enabled;

CREATE TABLE balance_alerts (
  account_id text PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  threshold_nano_usd bigint NOT NULL CHECK (threshold_nano_usd BETWEEN 1 AND 1000000000000000),
  -- null: the balance has been above the threshold since the last mail.
  told_at timestamptz
);

-- The highest share of its budget that a key's people were told of.
CREATE TABLE key_budget_alerts (
  key_id text PRIMARY KEY REFERENCES api_keys ON DELETE CASCADE,
  told_percent smallint NOT NULL CHECK (told_percent BETWEEN 1 AND 100),
  told_at timestamptz NOT NULL DEFAULT now()
);
