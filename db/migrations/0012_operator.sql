-- What operators decide for the whole installation, what the books said when they were last checked, and whose account
-- an operator looks at.

CREATE TABLE installation_settings (
  -- There is one row.
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  sign_up text NOT NULL DEFAULT 'open' CHECK (sign_up IN ('open', 'domains', 'closed')),
  -- In lower case: `example.com`. They count where sign_up is 'domains'.
  sign_up_domains text[] NOT NULL DEFAULT '{}' CHECK (cardinality(sign_up_domains) <= 100),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (sign_up <> 'domains' OR cardinality(sign_up_domains) > 0)
);
INSERT INTO installation_settings DEFAULT VALUES;

-- Each proof of the ledger that an operator asked for.
CREATE TABLE ledger_checks (
  id text PRIMARY KEY,
  started_by text REFERENCES users ON DELETE SET NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  -- The process that checks says that it lives.
  heartbeat_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  -- What was counted and which rules are broken; null: it runs, or it did not come to an end.
  report jsonb,
  CHECK (report IS NULL OR finished_at IS NOT NULL)
);
CREATE UNIQUE INDEX ledger_checks_one_at_a_time ON ledger_checks ((true)) WHERE finished_at IS NULL;
CREATE INDEX ledger_checks_newest ON ledger_checks (started_at DESC);

-- An operator's session that looks at somebody's account. While there is one, that session changes nothing.
CREATE TABLE impersonations (
  session_id bytea PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  started_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL
);
CREATE INDEX impersonations_account ON impersonations (account_id);

-- Events of payments in the order in which they came.
CREATE INDEX payment_events_received ON payment_events (received_at DESC, id DESC);
