-- Replaces settlements that were estimated after a crash by the actual ones, as far as the budget and the balance allow.
CREATE OR REPLACE FUNCTION replace_estimates(settlements settlement[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  late record;
  actual settlement;
  room_free bigint;
  raised bigint;
  no_limit CONSTANT bigint := 9223372036854775807;
BEGIN
  FOR late IN
    SELECT l.* FROM (
      SELECT DISTINCT ON (s.id) s.ordinality AS place, r.*
      FROM unnest(settlements) WITH ORDINALITY AS s
      JOIN requests r ON r.id = s.id AND r.started_at = s.started_at
      WHERE s.is_held AND NOT s.recovered AND r.state = 'settled' AND r.recovered
      ORDER BY s.id, s.ordinality
    ) AS l ORDER BY l.place
  LOOP
    actual := settlements[late.place];
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
    raised := least(actual.cost_nano_usd, late.held_nano_usd) - late.cost_nano_usd;
    IF raised > 0 THEN
      raised := least(raised, greatest(room_free, 0));
    END IF;
    IF actual.model <> late.model THEN
      -- A fallback model answered: the usage of the estimate moves to it.
      INSERT INTO usage_hourly AS usage (
        hour, account_id, key_id, model, requests, errors, input_tokens, cache_read_tokens, cache_write_tokens,
        cache_write_1h_tokens, output_tokens, cost_nano_usd, operator_cost_nano_usd, charged_nano_usd,
        latency_counts, first_byte_counts)
      SELECT date_trunc('hour', late.started_at, 'UTC'), late.account_id, late.key_id, actual.model, 1,
        (late.error_code IS NOT NULL AND late.error_code <> 'client_gone')::integer, late.input_tokens,
        late.cache_read_tokens, late.cache_write_tokens, late.cache_write_1h_tokens, late.output_tokens,
        late.cost_nano_usd, late.operator_cost_nano_usd,
        CASE WHEN late.charges_balance THEN late.cost_nano_usd ELSE 0 END,
        count_times(CASE WHEN late.error_code IS NULL THEN late.latency_ms END, 1),
        count_times(late.first_byte_ms, 1)
      ON CONFLICT ON CONSTRAINT usage_hourly_pkey DO UPDATE SET
        requests = usage.requests + 1,
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
        first_byte_counts = add_counts(usage.first_byte_counts, excluded.first_byte_counts);
      UPDATE usage_hourly u SET
        requests = u.requests - 1,
        errors = u.errors - (late.error_code IS NOT NULL AND late.error_code <> 'client_gone')::integer,
        input_tokens = u.input_tokens - late.input_tokens,
        cache_read_tokens = u.cache_read_tokens - late.cache_read_tokens,
        cache_write_tokens = u.cache_write_tokens - late.cache_write_tokens,
        cache_write_1h_tokens = u.cache_write_1h_tokens - late.cache_write_1h_tokens,
        output_tokens = u.output_tokens - late.output_tokens,
        cost_nano_usd = u.cost_nano_usd - late.cost_nano_usd,
        operator_cost_nano_usd = u.operator_cost_nano_usd - late.operator_cost_nano_usd,
        charged_nano_usd = u.charged_nano_usd
          - CASE WHEN late.charges_balance THEN late.cost_nano_usd ELSE 0 END,
        latency_counts = count_time(
          u.latency_counts, CASE WHEN late.error_code IS NULL THEN late.latency_ms END, -1),
        first_byte_counts = count_time(u.first_byte_counts, late.first_byte_ms, -1)
        WHERE u.key_id = late.key_id AND u.model = late.model
          AND u.hour = date_trunc('hour', late.started_at, 'UTC');
    END IF;
    PERFORM queue_sums(late.id, late.started_at, -1);
    UPDATE requests r SET
      provider = actual.provider, upstream_model = actual.upstream_model,
      route_id = actual.route_id, attempts = actual.attempts,
      streamed = actual.streamed, status = actual.status, error_code = actual.error_code,
      input_tokens = actual.input_tokens, cache_read_tokens = actual.cache_read_tokens,
      cache_write_tokens = actual.cache_write_tokens, cache_write_1h_tokens = actual.cache_write_1h_tokens,
      output_tokens = actual.output_tokens, estimated = actual.estimated,
      cost_nano_usd = late.cost_nano_usd + raised,
      operator_cost_nano_usd
        = actual.operator_cost_nano_usd + greatest(actual.cost_nano_usd - late.cost_nano_usd - raised, 0),
      latency_ms = actual.latency_ms, first_byte_ms = actual.first_byte_ms, queue_ms = actual.queue_ms,
      hold_ms = actual.hold_ms, connect_ms = actual.connect_ms, recovered = false,
      price_id = coalesce(actual.price_id, r.price_id), price_ppm = actual.price_ppm, raw_usage = actual.raw_usage,
      usage_extras = actual.usage_extras, billed_terms = actual.billed_terms,
      served_terms = actual.served_terms, reported_cost_nano_usd = actual.reported_cost_nano_usd,
      price_mismatch = actual.price_mismatch, client = actual.client,
      session_hash = actual.session_hash, route_choice = actual.route_choice,
      model = coalesce(actual.model, r.model), requested_model = actual.requested_model,
      own_credential = coalesce(actual.own_credential, false), error_message = actual.error_message,
      error_param = actual.error_param, session = coalesce(r.session, actual.session),
      provider_request_id = actual.provider_request_id
      WHERE r.id = late.id AND r.started_at = late.started_at;
    PERFORM queue_sums(late.id, late.started_at, 1);
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
