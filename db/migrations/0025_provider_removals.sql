-- What a payment provider is still to forget: the queue of a job, so that a provider that does not answer keeps nobody
-- from removing a card or deleting their login.

CREATE TABLE provider_removals (
  provider text NOT NULL CHECK (provider IN ('stripe', 'test')),
  kind text NOT NULL CHECK (kind IN ('customer', 'method')),
  -- The provider's.
  reference text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, kind, reference)
);
