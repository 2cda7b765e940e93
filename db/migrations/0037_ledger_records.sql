-- What a replica passes to commit_ledger_batch. The functions of the ledger are in db/functions from here on.
-- The end of a request, with the columns of requests that it sets. is_held: it has a hold, or may have one.
CREATE TYPE settlement AS (
  id text,
  started_at timestamptz,
  account_id text,
  key_id text,
  endpoint text,
  model text,
  provider text,
  upstream_model text,
  route_id text,
  attempts jsonb,
  streamed boolean,
  status integer,
  error_code text,
  input_tokens integer,
  cache_read_tokens integer,
  cache_write_tokens integer,
  cache_write_1h_tokens integer,
  output_tokens integer,
  usage_extras jsonb,
  estimated boolean,
  price_id bigint,
  price_ppm integer,
  cost_nano_usd bigint,
  operator_cost_nano_usd bigint,
  latency_ms integer,
  first_byte_ms integer,
  queue_ms integer,
  hold_ms integer,
  connect_ms integer,
  is_held boolean,
  recovered boolean,
  raw_usage text,
  reported_cost_nano_usd bigint,
  served_terms jsonb,
  billed_terms jsonb,
  price_mismatch text
);

-- The start of a request, with the amounts that it asks for.
CREATE TYPE hold AS (
  id text,
  started_at timestamptz,
  account_id text,
  key_id text,
  endpoint text,
  model text,
  streamed boolean,
  price_id bigint,
  price_ppm integer,
  input_tokens integer,
  input_cost_nano_usd bigint,
  charges_balance boolean,
  key_cap_nano_usd bigint,
  want_nano_usd bigint,
  soft_nano_usd bigint,
  min_nano_usd bigint
);

DROP FUNCTION commit_ledger_batch;
DROP FUNCTION settle_requests;
DROP FUNCTION tell_late_truths;
DROP FUNCTION admit_holds;
DROP FUNCTION admit_tight_holds;
