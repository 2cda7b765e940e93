-- Adds a settled request to the sums by provider and account (change: 1), or takes it out of them (-1).
CREATE OR REPLACE FUNCTION queue_sums(request_id text, request_started_at timestamptz, change integer) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO unsummed_requests
  SELECT r.started_at, r.account_id, r.model, r.provider, r.error_code, r.attempts, r.own_credential,
    r.charges_balance, r.cost_nano_usd, r.operator_cost_nano_usd, r.price_ppm, r.reported_cost_nano_usd,
    NOT r.estimated AND r.price_id IS NOT NULL AND r.price_mismatch IS NULL, r.latency_ms, r.first_byte_ms, change,
    CASE WHEN change > 0 THEN r.id END, r.provider_request_id
  FROM requests r WHERE r.id = request_id AND r.started_at = request_started_at
$$;
