-- What a request was billed from: the provider's usage object, the billed units beside plain tokens, the terms.
ALTER TABLE requests
  ADD COLUMN raw_usage text,
  ADD COLUMN usage_extras jsonb,
  ADD COLUMN billed_terms jsonb,
  ADD COLUMN served_terms jsonb,
  ADD COLUMN reported_cost_nano_usd bigint CHECK (reported_cost_nano_usd >= 0),
  ADD COLUMN price_mismatch text;

-- Rates beside those of plain tokens, as JSON: amounts are strings of whole nano-dollars. NULL: none.
ALTER TABLE model_prices ADD COLUMN rates jsonb CHECK (jsonb_typeof(rates) = 'object');

-- A price outlives its model: the costs of old requests stay verifiable.
ALTER TABLE model_prices DROP CONSTRAINT model_prices_model_id_fkey;

-- Settled rows are longer now: a page leaves the room, so that a settlement stays on the page of its hold.
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'requests'::regclass LOOP
    EXECUTE format('ALTER TABLE %s SET (fillfactor = 30)', part);
  END LOOP;
END $$;

-- Makes the monthly partitions of requests from last month to `months_ahead` months from now.
CREATE OR REPLACE FUNCTION ensure_request_partitions(months_ahead integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('tollgate request partitions'));
  FOR offset_months IN -1 .. months_ahead LOOP
    month := (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => offset_months)) AT TIME ZONE 'UTC';
    EXECUTE format(
      'CREATE TABLE IF NOT EXISTS %I PARTITION OF requests FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 30)',
      'requests_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM'),
      month, ((month AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC');
  END LOOP;
END $$;

DROP FUNCTION commit_ledger_batch;
DROP FUNCTION settle_requests;
DROP FUNCTION tell_late_truths;

-- Settles each request once and moves its cost. Returns how many of the list had been settled before.
-- Lists of optional columns may be empty: all of their entries are NULL then.
CREATE FUNCTION settle_requests(
  s_id text[], s_started_ms bigint[], s_account text[], s_key text[], s_endpoint text[], s_model text[],
  s_provider text[], s_upstream_model text[], s_route text[], s_attempts text[], s_streamed boolean[],
  s_status integer[], s_error text[], s_input integer[], s_cache_read integer[], s_cache_write integer[],
  s_cache_write_1h integer[], s_output integer[], s_estimated boolean[], s_price bigint[], s_ppm integer[],
  s_cost bigint[], s_operator_cost bigint[], s_latency integer[], s_first_byte integer[], s_queue integer[],
  s_hold_wait integer[], s_connect integer[], s_held boolean[], s_recovered boolean[],
  s_raw_usage text[], s_extras text[], s_billed_terms text[], s_served_terms text[], s_reported_cost bigint[],
  s_mismatch text[]
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  settled bigint;
BEGIN
  WITH input AS MATERIALIZED (
    SELECT to_timestamp(i.started_ms / 1000.0) AS started_at, i.* FROM unnest(
      s_id, s_started_ms, s_account, s_key, s_endpoint, s_model, s_provider, s_upstream_model, s_route, s_attempts,
      s_streamed, s_status, s_error, s_input, s_cache_read, s_cache_write, s_cache_write_1h, s_output, s_estimated,
      s_price, s_ppm, s_cost, s_operator_cost, s_latency, s_first_byte, s_queue, s_hold_wait, s_connect, s_held,
      s_recovered, s_raw_usage, s_extras, s_billed_terms, s_served_terms, s_reported_cost, s_mismatch
    ) AS i(id, started_ms, account_id, key_id, endpoint, model, provider, upstream_model, route_id, attempts,
      streamed, status, error_code, input, cache_read, cache_write, cache_write_1h, output, estimated, price_id,
      price_ppm, cost, operator_cost, latency_ms, first_byte_ms, queue_ms, hold_ms, connect_ms, is_held, recovered,
      raw_usage, extras, billed_terms, served_terms, reported_cost, mismatch)
  ), ended AS (
    -- A row that is held is found by its key and by nothing else, since no plan of a join can be relied on for that.
    INSERT INTO requests AS r (
      id, started_at, account_id, key_id, endpoint, model, provider, upstream_model, route_id, attempts, streamed,
      state, status, error_code, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens,
      output_tokens, estimated, price_id, price_ppm, cost_nano_usd, operator_cost_nano_usd, latency_ms,
      first_byte_ms, queue_ms, hold_ms, connect_ms, recovered, raw_usage, usage_extras, billed_terms, served_terms,
      reported_cost_nano_usd, price_mismatch)
    SELECT DISTINCT ON (i.id, i.started_at)
      i.id, i.started_at, i.account_id, i.key_id, i.endpoint, i.model, i.provider, i.upstream_model, i.route_id,
      i.attempts::jsonb, i.streamed, 'settled', i.status, i.error_code, i.input, i.cache_read, i.cache_write,
      i.cache_write_1h, i.output, i.estimated, i.price_id, i.price_ppm, i.cost, i.operator_cost, i.latency_ms,
      i.first_byte_ms, i.queue_ms, i.hold_ms, i.connect_ms, i.recovered, i.raw_usage, i.extras::jsonb,
      i.billed_terms::jsonb, i.served_terms::jsonb, i.reported_cost, i.mismatch
    FROM input i WHERE i.is_held
    ORDER BY i.id, i.started_at
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
      price_id = coalesce(excluded.price_id, r.price_id), raw_usage = excluded.raw_usage,
      usage_extras = excluded.usage_extras, billed_terms = excluded.billed_terms,
      served_terms = excluded.served_terms, reported_cost_nano_usd = excluded.reported_cost_nano_usd,
      price_mismatch = excluded.price_mismatch
      WHERE r.state = 'held'
    RETURNING started_at, account_id, key_id, model, error_code, input_tokens, cache_read_tokens,
      cache_write_tokens, cache_write_1h_tokens, output_tokens, cost_nano_usd, operator_cost_nano_usd,
      latency_ms, first_byte_ms, held_nano_usd, charges_balance
  ), inserted AS (
    INSERT INTO requests (
      id, started_at, account_id, key_id, endpoint, model, provider, upstream_model, route_id, attempts, streamed,
      state, status, error_code, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens,
      output_tokens, estimated, price_id, price_ppm, cost_nano_usd, operator_cost_nano_usd, latency_ms,
      first_byte_ms, queue_ms, hold_ms, connect_ms, recovered, raw_usage, usage_extras, billed_terms, served_terms,
      reported_cost_nano_usd, price_mismatch)
    SELECT
      i.id, i.started_at, i.account_id, i.key_id, i.endpoint, i.model, i.provider, i.upstream_model, i.route_id,
      i.attempts::jsonb, i.streamed, 'settled', i.status, i.error_code, i.input, i.cache_read, i.cache_write,
      i.cache_write_1h, i.output, i.estimated, i.price_id, i.price_ppm, i.cost, i.operator_cost, i.latency_ms,
      i.first_byte_ms, i.queue_ms, i.hold_ms, i.connect_ms, i.recovered, i.raw_usage, i.extras::jsonb,
      i.billed_terms::jsonb, i.served_terms::jsonb, i.reported_cost, i.mismatch
    FROM input i WHERE NOT i.is_held
    ON CONFLICT DO NOTHING
    RETURNING started_at, account_id, key_id, model, error_code, input_tokens, cache_read_tokens,
      cache_write_tokens, cache_write_1h_tokens, output_tokens, cost_nano_usd, operator_cost_nano_usd,
      latency_ms, first_byte_ms, held_nano_usd, charges_balance
  ), moved AS (
    SELECT * FROM ended UNION ALL SELECT * FROM inserted
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

-- Replaces settlements that were estimated after a crash with what really happened, as far as there is room.
CREATE FUNCTION tell_late_truths(
  s_id text[], s_started_ms bigint[], s_provider text[], s_upstream_model text[], s_route text[], s_attempts text[],
  s_streamed boolean[], s_status integer[], s_error text[], s_input integer[], s_cache_read integer[],
  s_cache_write integer[], s_cache_write_1h integer[], s_output integer[], s_estimated boolean[], s_cost bigint[],
  s_operator_cost bigint[], s_latency integer[], s_first_byte integer[], s_queue integer[], s_hold_wait integer[],
  s_connect integer[], s_held boolean[], s_recovered boolean[], s_price bigint[],
  s_raw_usage text[], s_extras text[], s_billed_terms text[], s_served_terms text[], s_reported_cost bigint[],
  s_mismatch text[]
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
      hold_ms = s_hold_wait[late.place], connect_ms = s_connect[late.place], recovered = false,
      price_id = coalesce(s_price[late.place], r.price_id), raw_usage = s_raw_usage[late.place],
      usage_extras = s_extras[late.place]::jsonb, billed_terms = s_billed_terms[late.place]::jsonb,
      served_terms = s_served_terms[late.place]::jsonb, reported_cost_nano_usd = s_reported_cost[late.place],
      price_mismatch = s_mismatch[late.place]
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

-- Whatever moves money locks the keys in their order, then the balances in theirs, so that no two wait for each other
-- and each decision is made on what is committed.
CREATE FUNCTION commit_ledger_batch(
  replica text, is_retry boolean,
  s_id text[], s_started_ms bigint[], s_account text[], s_key text[], s_endpoint text[], s_model text[],
  s_provider text[], s_upstream_model text[], s_route text[], s_attempts text[], s_streamed boolean[],
  s_status integer[], s_error text[], s_input integer[], s_cache_read integer[], s_cache_write integer[],
  s_cache_write_1h integer[], s_output integer[], s_estimated boolean[], s_price bigint[], s_ppm integer[],
  s_cost bigint[], s_operator_cost bigint[], s_latency integer[], s_first_byte integer[], s_queue integer[],
  s_hold_wait integer[], s_connect integer[], s_held boolean[], s_recovered boolean[],
  s_raw_usage text[], s_extras text[], s_billed_terms text[], s_served_terms text[], s_reported_cost bigint[],
  s_mismatch text[],
  h_id text[], h_started_ms bigint[], h_account text[], h_key text[], h_endpoint text[], h_model text[],
  h_streamed boolean[], h_price bigint[], h_ppm integer[], h_input integer[], h_input_cost bigint[],
  h_charges boolean[], h_cap bigint[], h_want bigint[], h_soft bigint[], h_min bigint[]
-- 'h': a hold, as admit_holds tells it. 'k': a key with what it has spent and what is held. 'b': an account with what is
-- available and what is held.
) RETURNS TABLE (kind text, place bigint, subject text, amount bigint, held bigint) LANGUAGE plpgsql
-- It is called hundreds of times a second: its statements are planned once, not by the contents of each batch, and find
-- rows by their index however small or large the tables are at that moment.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off
AS $$
DECLARE
  accounts_moved text[];
BEGIN
  accounts_moved := ARRAY(
    SELECT s.account_id FROM unnest(s_account, s_held) AS s(account_id, is_held) WHERE s.is_held
    UNION SELECT h.account_id FROM unnest(h_account, h_charges) AS h(account_id, charges) WHERE h.charges);
  PERFORM 1 FROM key_totals t WHERE t.key_id = ANY (s_key || h_key) ORDER BY t.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM balances b WHERE b.account_id = ANY (accounts_moved) ORDER BY b.account_id FOR NO KEY UPDATE;

  IF cardinality(s_id) > 0 THEN
    IF settle_requests(
      s_id, s_started_ms, s_account, s_key, s_endpoint, s_model, s_provider, s_upstream_model, s_route, s_attempts,
      s_streamed, s_status, s_error, s_input, s_cache_read, s_cache_write, s_cache_write_1h, s_output, s_estimated,
      s_price, s_ppm, s_cost, s_operator_cost, s_latency, s_first_byte, s_queue, s_hold_wait, s_connect, s_held,
      s_recovered,
      s_raw_usage, s_extras, s_billed_terms, s_served_terms, s_reported_cost, s_mismatch
    ) > 0 THEN
      PERFORM tell_late_truths(
        s_id, s_started_ms, s_provider, s_upstream_model, s_route, s_attempts, s_streamed, s_status, s_error, s_input,
        s_cache_read, s_cache_write, s_cache_write_1h, s_output, s_estimated, s_cost, s_operator_cost, s_latency,
        s_first_byte, s_queue, s_hold_wait, s_connect, s_held, s_recovered, s_price,
        s_raw_usage, s_extras, s_billed_terms, s_served_terms, s_reported_cost, s_mismatch);
    END IF;
    DELETE FROM held_requests h
      WHERE h.id = ANY (ARRAY(SELECT s.id FROM unnest(s_id, s_held) AS s(id, is_held) WHERE s.is_held));
  END IF;
  IF cardinality(h_id) > 0 THEN
    RETURN QUERY WITH told AS MATERIALIZED (
      SELECT * FROM admit_holds(
        replica, is_retry,
        h_id, h_started_ms, h_account, h_key, h_endpoint, h_model, h_streamed, h_price, h_ppm, h_input, h_input_cost,
        h_charges, h_cap, h_want, h_soft, h_min)
    ), listed AS (
      INSERT INTO held_requests (id, started_at, replica_id)
      SELECT i.id, to_timestamp(i.started_ms / 1000.0), replica
      FROM unnest(h_id, h_started_ms) WITH ORDINALITY AS i(id, started_ms, place)
      WHERE NOT EXISTS (SELECT 1 FROM told t WHERE t.place = i.place AND t.verdict <> 'granted')
      -- What is tried once more may be there.
      ON CONFLICT DO NOTHING
    )
    SELECT 'h', t.place, t.verdict, t.amount, NULL::bigint FROM told t;
  END IF;

  RETURN QUERY SELECT 'k', NULL::bigint, t.key_id, t.spent_nano_usd, t.held_nano_usd
    FROM key_totals t WHERE t.key_id = ANY (s_key || h_key);
  RETURN QUERY SELECT 'b', NULL::bigint, b.account_id, b.available_nano_usd, b.held_nano_usd
    FROM balances b WHERE b.account_id = ANY (accounts_moved);
END $$;
