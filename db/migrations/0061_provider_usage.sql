-- Settled requests that are not in the sums of this migration yet. Settlements only append, so the sums cost them no lock.
-- change: 1 adds the request to the sums, -1 takes it out again.
CREATE TABLE unsummed_requests (
  started_at timestamptz NOT NULL,
  account_id text NOT NULL,
  model text,
  provider text,
  error_code text,
  attempts jsonb,
  own_credential boolean NOT NULL,
  charges_balance boolean NOT NULL,
  cost_nano_usd bigint NOT NULL,
  operator_cost_nano_usd bigint NOT NULL,
  price_ppm integer NOT NULL,
  reported_cost_nano_usd bigint,
  -- What was billed says what our rates give: it is priced, counted and as it was asked for.
  is_exact boolean NOT NULL,
  latency_ms integer NOT NULL,
  first_byte_ms integer,
  change smallint NOT NULL
);

-- All accounts together, by the hour in which requests started.
CREATE TABLE provider_hourly (
  hour timestamptz NOT NULL,
  -- '': no provider was called.
  provider text NOT NULL,
  -- '': the model was never known.
  model text NOT NULL,
  requests bigint NOT NULL,
  errors bigint NOT NULL,
  charged_nano_usd bigint NOT NULL,
  provider_cost_nano_usd bigint NOT NULL,
  reported_nano_usd bigint NOT NULL,
  computed_nano_usd bigint NOT NULL,
  latency_counts integer[] NOT NULL,
  first_byte_counts integer[] NOT NULL,
  PRIMARY KEY (hour, provider, model)
);

-- Attempts at providers of the last hours, by the minute in which their requests started.
CREATE TABLE provider_minutes (
  minute timestamptz NOT NULL,
  provider text NOT NULL,
  calls bigint NOT NULL,
  failures bigint NOT NULL,
  last_failure_at timestamptz,
  last_answer_at timestamptz,
  -- What the provider said about the operator's account, redacted.
  last_message text,
  last_message_at timestamptz,
  PRIMARY KEY (minute, provider)
);

-- By the UTC day in which requests started.
CREATE TABLE account_daily (
  day timestamptz NOT NULL,
  account_id text NOT NULL,
  requests bigint NOT NULL,
  errors bigint NOT NULL,
  charged_nano_usd bigint NOT NULL,
  PRIMARY KEY (day, account_id)
);

-- The pages show a month at most.
INSERT INTO unsummed_requests
SELECT started_at, account_id, model, provider, error_code, attempts, own_credential, charges_balance, cost_nano_usd,
  operator_cost_nano_usd, price_ppm, reported_cost_nano_usd,
  NOT estimated AND price_id IS NOT NULL AND price_mismatch IS NULL, latency_ms, first_byte_ms, 1
FROM requests WHERE state = 'settled' AND started_at >= now() - interval '62 days';
