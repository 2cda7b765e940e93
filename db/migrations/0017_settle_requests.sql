-- The first half of a transaction of the ledger: every list is a column, the n-th entries of all are one settlement.

-- Ends requests, each once, and moves their costs. Returns how many of the list had ended before.
CREATE FUNCTION settle_requests(
  s_id text[], s_started_ms bigint[], s_account text[], s_key text[], s_endpoint text[], s_model text[],
  s_provider text[], s_upstream_model text[], s_route text[], s_attempts text[], s_streamed boolean[],
  s_status integer[], s_error text[], s_input integer[], s_cache_read integer[], s_cache_write integer[],
  s_cache_write_1h integer[], s_output integer[], s_estimated boolean[], s_price bigint[], s_ppm integer[],
  s_cost bigint[], s_operator_cost bigint[], s_latency integer[], s_first_byte integer[], s_queue integer[],
  s_hold_wait integer[], s_connect integer[], s_held boolean[], s_recovered boolean[]
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  settled bigint;
  -- Known before the statement begins, so that it does not even open the partitions of other months.
  first_at CONSTANT timestamptz := to_timestamp((SELECT min(ms) FROM unnest(s_started_ms) AS ms) / 1000.0);
  last_at CONSTANT timestamptz := to_timestamp((SELECT max(ms) FROM unnest(s_started_ms) AS ms) / 1000.0);
BEGIN
  WITH input AS MATERIALIZED (
    SELECT to_timestamp(i.started_ms / 1000.0) AS started_at, i.* FROM unnest(
      s_id, s_started_ms, s_account, s_key, s_endpoint, s_model, s_provider, s_upstream_model, s_route, s_attempts,
      s_streamed, s_status, s_error, s_input, s_cache_read, s_cache_write, s_cache_write_1h, s_output, s_estimated,
      s_price, s_ppm, s_cost, s_operator_cost, s_latency, s_first_byte, s_queue, s_hold_wait, s_connect, s_held,
      s_recovered
    ) AS i(id, started_ms, account_id, key_id, endpoint, model, provider, upstream_model, route_id, attempts,
      streamed, status, error_code, input, cache_read, cache_write, cache_write_1h, output, estimated, price_id,
      price_ppm, cost, operator_cost, latency_ms, first_byte_ms, queue_ms, hold_ms, connect_ms, is_held, recovered)
  ), updated AS (
    UPDATE requests r SET
      state = 'settled', provider = i.provider, upstream_model = i.upstream_model, route_id = i.route_id,
      attempts = i.attempts::jsonb, streamed = i.streamed, status = i.status, error_code = i.error_code,
      input_tokens = i.input, cache_read_tokens = i.cache_read, cache_write_tokens = i.cache_write,
      cache_write_1h_tokens = i.cache_write_1h, output_tokens = i.output, estimated = i.estimated,
      cost_nano_usd = least(i.cost, r.held_nano_usd),
      operator_cost_nano_usd = i.operator_cost + greatest(i.cost - r.held_nano_usd, 0),
      latency_ms = i.latency_ms, first_byte_ms = i.first_byte_ms, queue_ms = i.queue_ms, hold_ms = i.hold_ms,
      connect_ms = i.connect_ms, recovered = i.recovered
    FROM input i
    WHERE i.is_held AND r.id = i.id AND r.started_at = i.started_at AND r.state = 'held'
      AND r.started_at BETWEEN first_at AND last_at
    RETURNING r.started_at, r.account_id, r.key_id, r.model, r.error_code, r.input_tokens, r.cache_read_tokens,
      r.cache_write_tokens, r.cache_write_1h_tokens, r.output_tokens, r.cost_nano_usd, r.operator_cost_nano_usd,
      r.latency_ms, r.first_byte_ms, r.held_nano_usd, r.charges_balance
  ), inserted AS (
    INSERT INTO requests (
      id, started_at, account_id, key_id, endpoint, model, provider, upstream_model, route_id, attempts, streamed,
      state, status, error_code, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens,
      output_tokens, estimated, price_id, price_ppm, cost_nano_usd, operator_cost_nano_usd, latency_ms,
      first_byte_ms, queue_ms, hold_ms, connect_ms, recovered)
    SELECT
      i.id, i.started_at, i.account_id, i.key_id, i.endpoint, i.model, i.provider, i.upstream_model, i.route_id,
      i.attempts::jsonb, i.streamed, 'settled', i.status, i.error_code, i.input, i.cache_read, i.cache_write,
      i.cache_write_1h, i.output, i.estimated, i.price_id, i.price_ppm, i.cost, i.operator_cost, i.latency_ms,
      i.first_byte_ms, i.queue_ms, i.hold_ms, i.connect_ms, i.recovered
    FROM input i
    -- Mostly every one of them was held, and nothing need be looked for.
    WHERE (SELECT count(*) FROM updated) < cardinality(s_id) AND (NOT i.is_held OR NOT EXISTS (
      SELECT 1 FROM requests r WHERE r.id = i.id AND r.started_at = i.started_at
        AND r.started_at BETWEEN first_at AND last_at))
    ON CONFLICT DO NOTHING
    RETURNING started_at, account_id, key_id, model, error_code, input_tokens, cache_read_tokens,
      cache_write_tokens, cache_write_1h_tokens, output_tokens, cost_nano_usd, operator_cost_nano_usd,
      latency_ms, first_byte_ms, held_nano_usd, charges_balance
  ), moved AS (
    SELECT * FROM updated UNION ALL SELECT * FROM inserted
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
      count_times(CASE WHEN m.error_code IS NULL THEN m.latency_ms END, 1), count_times(m.first_byte_ms, 1)
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
  RETURN cardinality(s_id) - settled;
END $$;

-- What was estimated for a replica that seemed dead is replaced by what is told after all. Its hold was given back
-- meanwhile: what others have taken of that is gone, and only what is still free can be billed beyond the estimate.
CREATE FUNCTION tell_late_truths(
  s_id text[], s_started_ms bigint[], s_provider text[], s_upstream_model text[], s_route text[], s_attempts text[],
  s_streamed boolean[], s_status integer[], s_error text[], s_input integer[], s_cache_read integer[],
  s_cache_write integer[], s_cache_write_1h integer[], s_output integer[], s_estimated boolean[], s_cost bigint[],
  s_operator_cost bigint[], s_latency integer[], s_first_byte integer[], s_queue integer[], s_hold_wait integer[],
  s_connect integer[], s_held boolean[], s_recovered boolean[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  late record;
  room_free bigint;
  raised bigint;
  no_limit CONSTANT bigint := 9223372036854775807;
BEGIN
  FOR late IN
    SELECT l.* FROM (
      SELECT DISTINCT ON (i.id) i.place::integer AS place, r.*
      FROM unnest(s_id, s_started_ms, s_held, s_recovered) WITH ORDINALITY
        AS i(id, started_ms, is_held, is_guess, place)
      JOIN requests r ON r.id = i.id AND r.started_at = to_timestamp(i.started_ms / 1000.0)
      WHERE i.is_held AND NOT i.is_guess AND r.state = 'settled' AND r.recovered
      ORDER BY i.id, i.place
    ) AS l ORDER BY l.place
  LOOP
    room_free := no_limit;
    SELECT least(room_free, k.max_budget_nano_usd - t.spent_nano_usd - t.held_nano_usd) INTO room_free
      FROM api_keys k JOIN key_totals t ON t.key_id = k.id WHERE k.id = late.key_id;
    IF NOT FOUND THEN
      room_free := 0;
    END IF;
    IF late.charges_balance THEN
      SELECT least(room_free, b.available_nano_usd - b.held_nano_usd) INTO room_free
        FROM balances b WHERE b.account_id = late.account_id;
    END IF;
    raised := least(s_cost[late.place], late.held_nano_usd) - late.cost_nano_usd;
    IF raised > 0 THEN
      raised := least(raised, greatest(room_free, 0));
    END IF;
    UPDATE requests r SET
      provider = s_provider[late.place], upstream_model = s_upstream_model[late.place],
      route_id = s_route[late.place], attempts = s_attempts[late.place]::jsonb,
      streamed = s_streamed[late.place], status = s_status[late.place], error_code = s_error[late.place],
      input_tokens = s_input[late.place], cache_read_tokens = s_cache_read[late.place],
      cache_write_tokens = s_cache_write[late.place], cache_write_1h_tokens = s_cache_write_1h[late.place],
      output_tokens = s_output[late.place], estimated = s_estimated[late.place],
      cost_nano_usd = late.cost_nano_usd + raised,
      operator_cost_nano_usd
        = s_operator_cost[late.place] + greatest(s_cost[late.place] - late.cost_nano_usd - raised, 0),
      latency_ms = s_latency[late.place], first_byte_ms = s_first_byte[late.place], queue_ms = s_queue[late.place],
      hold_ms = s_hold_wait[late.place], connect_ms = s_connect[late.place], recovered = false
      WHERE r.id = late.id AND r.started_at = late.started_at;
    UPDATE usage_hourly u SET
      errors = u.errors + (r.error_code IS NOT NULL AND r.error_code <> 'client_gone')::integer
        - (late.error_code IS NOT NULL AND late.error_code <> 'client_gone')::integer,
      input_tokens = u.input_tokens + r.input_tokens - late.input_tokens,
      cache_read_tokens = u.cache_read_tokens + r.cache_read_tokens - late.cache_read_tokens,
      cache_write_tokens = u.cache_write_tokens + r.cache_write_tokens - late.cache_write_tokens,
      cache_write_1h_tokens = u.cache_write_1h_tokens + r.cache_write_1h_tokens - late.cache_write_1h_tokens,
      output_tokens = u.output_tokens + r.output_tokens - late.output_tokens,
      cost_nano_usd = u.cost_nano_usd + raised,
      operator_cost_nano_usd = u.operator_cost_nano_usd + r.operator_cost_nano_usd - late.operator_cost_nano_usd,
      charged_nano_usd = u.charged_nano_usd + CASE WHEN late.charges_balance THEN raised ELSE 0 END,
      latency_counts = count_time(
        count_time(u.latency_counts, CASE WHEN late.error_code IS NULL THEN late.latency_ms END, -1),
        CASE WHEN r.error_code IS NULL THEN r.latency_ms END, 1),
      first_byte_counts
        = count_time(count_time(u.first_byte_counts, late.first_byte_ms, -1), r.first_byte_ms, 1)
      FROM requests r
      WHERE r.id = late.id AND r.started_at = late.started_at AND u.key_id = r.key_id
        AND u.hour = date_trunc('hour', r.started_at, 'UTC') AND u.model = coalesce(r.model, '');
    UPDATE key_totals t SET spent_nano_usd = t.spent_nano_usd + raised WHERE t.key_id = late.key_id;
    IF late.charges_balance THEN
      UPDATE balances b SET available_nano_usd = b.available_nano_usd - raised
        WHERE b.account_id = late.account_id;
    END IF;
  END LOOP;
END $$;
