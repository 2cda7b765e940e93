-- Refunds that operators request, and a monthly maximum of automatic top-ups.

-- The row is stored before the provider is asked, so that a refund is made once.

CREATE TABLE refund_requests (
  -- Also the idempotency key at the provider.
  id text PRIMARY KEY,
  payment_id text NOT NULL REFERENCES payments,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  -- In the operator's words; the account's members read it.
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  -- null: a deleted user.
  requested_by text REFERENCES users ON DELETE SET NULL,
  -- The same for a request that is sent again.
  request_key text NOT NULL UNIQUE,
  -- 'open': it is not known yet whether the provider made it.
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'made', 'refused')),
  -- Why it was refused, in the provider's words.
  failure text,
  created_at timestamptz NOT NULL,
  -- When the provider was last asked.
  asked_at timestamptz NOT NULL
);
CREATE INDEX refund_requests_payment ON refund_requests (payment_id);
-- A payment has one open refund at a time.
CREATE UNIQUE INDEX refund_requests_open ON refund_requests (payment_id) WHERE state = 'open';

-- The request of a refund that an operator made here; null: a dispute, or a refund from the provider's dashboard.
ALTER TABLE payment_reversals ADD COLUMN request_id text REFERENCES refund_requests;

-- Automatic top-ups of a calendar month (UTC) stay within a maximum.

ALTER TABLE auto_top_ups
  -- null: no maximum.
  ADD COLUMN monthly_max_cents integer CHECK (monthly_max_cents > 0),
  -- When the members were last notified that it was reached; null: since it was set, never.
  ADD COLUMN max_notified_at timestamptz;
CREATE INDEX payments_auto ON payments (account_id, created_at) WHERE kind = 'auto';
