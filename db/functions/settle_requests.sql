-- Settles each request once and moves its cost. Returns how many of them had been settled before.
CREATE OR REPLACE FUNCTION settle_requests(settlements settlement[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  settled bigint;
BEGIN
  WITH moved AS (
    -- The key finds a held row. A join would not, because its plan may read the whole table.
    INSERT INTO requests AS r (
      id, started_at, account_id, key_id, endpoint, model, provider, upstream_model, route_id, attempts, streamed,
      state, status, error_code, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens,
      output_tokens, estimated, price_id, price_ppm, cost_nano_usd, operator_cost_nano_usd, latency_ms,
      first_byte_ms, queue_ms, hold_ms, connect_ms, recovered, raw_usage, usage_extras, billed_terms, served_terms,
      reported_cost_nano_usd, price_mismatch, client, session_hash, route_choice,
      requested_model, own_credential, error_message, error_param, session,
      provider_request_id)
    SELECT DISTINCT ON (s.id, s.started_at)
      s.id, s.started_at, s.account_id, s.key_id, s.endpoint, s.model, s.provider, s.upstream_model, s.route_id,
      s.attempts, s.streamed, 'settled', s.status, s.error_code, s.input_tokens, s.cache_read_tokens,
      s.cache_write_tokens, s.cache_write_1h_tokens, s.output_tokens, s.estimated, s.price_id, s.price_ppm,
      s.cost_nano_usd, s.operator_cost_nano_usd, s.latency_ms, s.first_byte_ms, s.queue_ms, s.hold_ms, s.connect_ms,
      s.recovered, s.raw_usage, s.usage_extras, s.billed_terms, s.served_terms, s.reported_cost_nano_usd,
      s.price_mismatch, s.client, s.session_hash, s.route_choice, s.requested_model,
      coalesce(s.own_credential, false), s.error_message, s.error_param, s.session,
      s.provider_request_id
    FROM unnest(settlements) AS s
    ORDER BY s.id, s.started_at
    ON CONFLICT (id, started_at) DO UPDATE SET
      state = 'settled', provider = excluded.provider, upstream_model = excluded.upstream_model,
      route_id = excluded.route_id, attempts = excluded.attempts, streamed = excluded.streamed,
      status = excluded.status, error_code = excluded.error_code, input_tokens = excluded.input_tokens,
      cache_read_tokens = excluded.cache_read_tokens, cache_write_tokens = excluded.cache_write_tokens,
      cache_write_1h_tokens = excluded.cache_write_1h_tokens, output_tokens = excluded.output_tokens,
      estimated = excluded.estimated, cost_nano_usd = least(excluded.cost_nano_usd, r.held_nano_usd),
      operator_cost_nano_usd
        = excluded.operator_cost_nano_usd + greatest(excluded.cost_nano_usd - r.held_nano_usd, 0),
      latency_ms = excluded.latency_ms, first_byte_ms = excluded.first_byte_ms, queue_ms = excluded.queue_ms,
      hold_ms = excluded.hold_ms, connect_ms = excluded.connect_ms, recovered = excluded.recovered,
      price_id = coalesce(excluded.price_id, r.price_id), price_ppm = excluded.price_ppm, raw_usage = excluded.raw_usage,
      usage_extras = excluded.usage_extras, billed_terms = excluded.billed_terms,
      served_terms = excluded.served_terms, reported_cost_nano_usd = excluded.reported_cost_nano_usd,
      price_mismatch = excluded.price_mismatch, client = excluded.client,
      session_hash = excluded.session_hash, route_choice = excluded.route_choice,
      -- A fallback model may have answered.
      model = coalesce(excluded.model, r.model), requested_model = excluded.requested_model,
      own_credential = excluded.own_credential, error_message = excluded.error_message,
      error_param = excluded.error_param,
      -- Written with the hold. The same value again changes no index.
      session = coalesce(r.session, excluded.session), provider_request_id = excluded.provider_request_id
      WHERE r.state = 'held'
    RETURNING id, provider_request_id, started_at, account_id, key_id, model, error_code, input_tokens, cache_read_tokens,
      cache_write_tokens, cache_write_1h_tokens, output_tokens, cost_nano_usd, operator_cost_nano_usd,
      latency_ms, first_byte_ms, held_nano_usd, charges_balance,
      provider, attempts, own_credential, price_ppm, reported_cost_nano_usd,
      NOT estimated AND price_id IS NOT NULL AND price_mismatch IS NULL AS is_exact
  ), unsummed AS (
    -- A job adds them to the sums by provider: rows of these sums would be locked by all replicas at the same time.
    INSERT INTO unsummed_requests
    SELECT m.started_at, m.account_id, m.model, m.provider, m.error_code, m.attempts, m.own_credential,
      m.charges_balance, m.cost_nano_usd, m.operator_cost_nano_usd, m.price_ppm, m.reported_cost_nano_usd,
      m.is_exact, m.latency_ms, m.first_byte_ms, 1,
      CASE WHEN m.provider_request_id IS NOT NULL OR m.attempts IS NOT NULL THEN m.id END, m.provider_request_id
    FROM moved m
  ), hourly AS (
    INSERT INTO usage_hourly AS usage (
      hour, account_id, key_id, model, requests, errors, input_tokens, cache_read_tokens, cache_write_tokens,
      cache_write_1h_tokens, output_tokens, cost_nano_usd, operator_cost_nano_usd, charged_nano_usd,
      latency_counts, first_byte_counts)
    SELECT
      date_trunc('hour', m.started_at, 'UTC'), m.account_id, m.key_id, coalesce(m.model, ''), count(*),
      count(*) FILTER (WHERE m.error_code <> 'client_gone'), sum(m.input_tokens), sum(m.cache_read_tokens),
      sum(m.cache_write_tokens), sum(m.cache_write_1h_tokens), sum(m.output_tokens), sum(m.cost_nano_usd),
      sum(m.operator_cost_nano_usd), coalesce(sum(m.cost_nano_usd) FILTER (WHERE m.charges_balance), 0),
      tally_times(array_agg(CASE WHEN m.error_code IS NULL THEN m.latency_ms END)),
      tally_times(array_agg(m.first_byte_ms))
    FROM moved m
    GROUP BY 1, 2, 3, 4
    ORDER BY 3, 1, 4
    ON CONFLICT ON CONSTRAINT usage_hourly_pkey DO UPDATE SET
      requests = usage.requests + excluded.requests,
      errors = usage.errors + excluded.errors,
      input_tokens = usage.input_tokens + excluded.input_tokens,
      cache_read_tokens = usage.cache_read_tokens + excluded.cache_read_tokens,
      cache_write_tokens = usage.cache_write_tokens + excluded.cache_write_tokens,
      cache_write_1h_tokens = usage.cache_write_1h_tokens + excluded.cache_write_1h_tokens,
      output_tokens = usage.output_tokens + excluded.output_tokens,
      cost_nano_usd = usage.cost_nano_usd + excluded.cost_nano_usd,
      operator_cost_nano_usd = usage.operator_cost_nano_usd + excluded.operator_cost_nano_usd,
      charged_nano_usd = usage.charged_nano_usd + excluded.charged_nano_usd,
      latency_counts = add_counts(usage.latency_counts, excluded.latency_counts),
      first_byte_counts = add_counts(usage.first_byte_counts, excluded.first_byte_counts)
  ), by_key AS (
    UPDATE key_totals t SET
      spent_nano_usd = t.spent_nano_usd + sums.cost,
      held_nano_usd = t.held_nano_usd - sums.released,
      last_used_at = greatest(t.last_used_at, sums.last_used_at)
    FROM (
      SELECT m.key_id, sum(m.cost_nano_usd)::bigint AS cost, sum(m.held_nano_usd)::bigint AS released,
        max(m.started_at) AS last_used_at
      FROM moved m GROUP BY m.key_id
    ) AS sums
    WHERE t.key_id = sums.key_id
  ), by_account AS (
    UPDATE balances b SET
      available_nano_usd = b.available_nano_usd - sums.charged,
      held_nano_usd = b.held_nano_usd - sums.released
    FROM (
      SELECT m.account_id, sum(m.cost_nano_usd)::bigint AS charged, sum(m.held_nano_usd)::bigint AS released
      FROM moved m WHERE m.charges_balance GROUP BY m.account_id
    ) AS sums
    WHERE b.account_id = sums.account_id
  )
  SELECT count(*) FROM moved INTO settled;
  RETURN cardinality(settlements) - settled;
END $$;
