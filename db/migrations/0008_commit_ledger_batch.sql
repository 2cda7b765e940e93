-- One transaction for everything that waits on a replica: first it settles, which makes room, then it admits.
-- Every list is a column: the n-th entries of all `s_` lists are one settlement, those of all `h_` lists one hold.
-- Whatever moves money locks the keys in their order, then the balances in theirs, so that no two wait for each other
-- and each decision is made on what is committed.
CREATE FUNCTION commit_ledger_batch(
  replica text, is_retry boolean,
  s_id text[], s_started_ms bigint[], s_account text[], s_key text[], s_endpoint text[], s_model text[],
  s_provider text[], s_upstream_model text[], s_route text[], s_attempts text[], s_streamed boolean[],
  s_status integer[], s_error text[], s_input integer[], s_cache_read integer[], s_cache_write integer[],
  s_cache_write_1h integer[], s_output integer[], s_estimated boolean[], s_price bigint[], s_ppm integer[],
  s_cost bigint[], s_operator_cost bigint[], s_latency integer[], s_first_byte integer[], s_held boolean[],
  s_recovered boolean[],
  h_id text[], h_started_ms bigint[], h_account text[], h_key text[], h_endpoint text[], h_model text[],
  h_streamed boolean[], h_price bigint[], h_ppm integer[], h_input integer[], h_input_cost bigint[],
  h_charges boolean[], h_cap bigint[], h_want bigint[], h_soft bigint[], h_min bigint[]
-- 'h': a hold that was not given its whole worst case, by its place from 1: a verdict and an amount.
-- 'k': a key with what it has spent and what is held. 'b': an account with what is available and what is held.
) RETURNS TABLE (kind text, place bigint, subject text, amount bigint, held bigint) LANGUAGE plpgsql
-- It is called hundreds of times a second: its statements are planned once, not by the contents of each batch, and find
-- rows by their index however small or large the tables are at that moment.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off
AS $$
DECLARE
  tight_keys text[];
  tight_accounts text[];
  hold record;
  accounts_moved text[];
  spent bigint;
  key_held bigint;
  available bigint;
  wallet_held bigint;
  room_settled bigint;
  room_free bigint;
  granted bigint;
  was_held boolean;
  has_late boolean;
  late record;
  raised bigint;
  no_limit CONSTANT bigint := 9223372036854775807;
  -- A replica that says less often that it lives is late; one that is silent for a few times as long is dead.
  beat_within CONSTANT interval := '10 seconds';
BEGIN
  accounts_moved := ARRAY(
    SELECT s.account_id FROM unnest(s_account, s_held) AS s(account_id, is_held) WHERE s.is_held
    UNION SELECT h.account_id FROM unnest(h_account, h_charges) AS h(account_id, charges) WHERE h.charges);
  PERFORM 1 FROM key_totals t WHERE t.key_id = ANY (s_key || h_key) ORDER BY t.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM balances b WHERE b.account_id = ANY (accounts_moved) ORDER BY b.account_id FOR NO KEY UPDATE;

  IF cardinality(s_id) > 0 THEN
    WITH input AS MATERIALIZED (
      SELECT to_timestamp(i.started_ms / 1000.0) AS started_at, i.* FROM unnest(
        s_id, s_started_ms, s_account, s_key, s_endpoint, s_model, s_provider, s_upstream_model, s_route, s_attempts,
        s_streamed, s_status, s_error, s_input, s_cache_read, s_cache_write, s_cache_write_1h, s_output, s_estimated,
        s_price, s_ppm, s_cost, s_operator_cost, s_latency, s_first_byte, s_held, s_recovered
      ) AS i(id, started_ms, account_id, key_id, endpoint, model, provider, upstream_model, route_id, attempts,
        streamed, status, error_code, input, cache_read, cache_write, cache_write_1h, output, estimated, price_id,
        price_ppm, cost, operator_cost, latency_ms, first_byte_ms, is_held, recovered)
    ), before AS MATERIALIZED (
      SELECT r.*, i.recovered AS is_guess
      FROM input i JOIN requests r ON r.id = i.id AND r.started_at = i.started_at WHERE i.is_held
    ), updated AS (
      UPDATE requests r SET
        state = 'settled', provider = i.provider, upstream_model = i.upstream_model, route_id = i.route_id,
        attempts = i.attempts::jsonb, streamed = i.streamed, status = i.status, error_code = i.error_code,
        input_tokens = i.input, cache_read_tokens = i.cache_read, cache_write_tokens = i.cache_write,
        cache_write_1h_tokens = i.cache_write_1h, output_tokens = i.output, estimated = i.estimated,
        cost_nano_usd = least(i.cost, b.held_nano_usd),
        operator_cost_nano_usd = i.operator_cost + greatest(i.cost - b.held_nano_usd, 0),
        latency_ms = i.latency_ms, first_byte_ms = i.first_byte_ms, recovered = i.recovered
      FROM input i JOIN before b ON b.id = i.id AND b.started_at = i.started_at
      WHERE r.id = i.id AND r.started_at = i.started_at AND b.state = 'held'
      RETURNING r.*
    ), inserted AS (
      INSERT INTO requests (
        id, started_at, account_id, key_id, endpoint, model, provider, upstream_model, route_id, attempts, streamed,
        state, status, error_code, input_tokens, cache_read_tokens, cache_write_tokens, cache_write_1h_tokens,
        output_tokens, estimated, price_id, price_ppm, cost_nano_usd, operator_cost_nano_usd, latency_ms,
        first_byte_ms, recovered)
      SELECT
        i.id, i.started_at, i.account_id, i.key_id, i.endpoint, i.model, i.provider, i.upstream_model, i.route_id,
        i.attempts::jsonb, i.streamed, 'settled', i.status, i.error_code, i.input, i.cache_read, i.cache_write,
        i.cache_write_1h, i.output, i.estimated, i.price_id, i.price_ppm, i.cost, i.operator_cost, i.latency_ms,
        i.first_byte_ms, i.recovered
      FROM input i
      WHERE NOT i.is_held OR NOT EXISTS (SELECT 1 FROM before b WHERE b.id = i.id)
      ON CONFLICT DO NOTHING
      RETURNING *
    ), moved AS (
      SELECT
        i.started_at, i.account_id, i.key_id, coalesce(i.model, '') AS model, 1 AS requests,
        (i.error_code IS NOT NULL AND i.error_code <> 'client_gone')::integer AS errors,
        i.input_tokens AS input, i.cache_read_tokens AS cache_read, i.cache_write_tokens AS cache_write,
        i.cache_write_1h_tokens AS cache_write_1h, i.output_tokens AS output, i.cost_nano_usd AS cost,
        i.operator_cost_nano_usd AS operator_cost, 0 AS charged, 0 AS released, 0 AS wallet_released
      FROM inserted i
      UNION ALL
      SELECT
        u.started_at, u.account_id, u.key_id, coalesce(u.model, ''), 1,
        (u.error_code IS NOT NULL AND u.error_code <> 'client_gone')::integer, u.input_tokens, u.cache_read_tokens,
        u.cache_write_tokens, u.cache_write_1h_tokens, u.output_tokens, u.cost_nano_usd, u.operator_cost_nano_usd,
        CASE WHEN u.charges_balance THEN u.cost_nano_usd ELSE 0 END, u.held_nano_usd,
        CASE WHEN u.charges_balance THEN u.held_nano_usd ELSE 0 END
      FROM updated u
    ), hourly AS (
      INSERT INTO usage_hourly AS usage (
        hour, account_id, key_id, model, requests, errors, input_tokens, cache_read_tokens, cache_write_tokens,
        cache_write_1h_tokens, output_tokens, cost_nano_usd, operator_cost_nano_usd, charged_nano_usd)
      SELECT
        date_trunc('hour', m.started_at, 'UTC'), m.account_id, m.key_id, m.model, sum(m.requests), sum(m.errors),
        sum(m.input), sum(m.cache_read), sum(m.cache_write), sum(m.cache_write_1h), sum(m.output), sum(m.cost),
        sum(m.operator_cost), sum(m.charged)
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
        charged_nano_usd = usage.charged_nano_usd + excluded.charged_nano_usd
    ), by_key AS (
      UPDATE key_totals t SET
        spent_nano_usd = t.spent_nano_usd + sums.cost,
        held_nano_usd = t.held_nano_usd - sums.released,
        last_used_at = greatest(t.last_used_at, sums.last_used_at)
      FROM (
        SELECT m.key_id, sum(m.cost)::bigint AS cost, sum(m.released)::bigint AS released,
          max(m.started_at) AS last_used_at
        FROM moved m GROUP BY m.key_id
      ) AS sums
      WHERE t.key_id = sums.key_id
    ), by_account AS (
      UPDATE balances b SET
        available_nano_usd = b.available_nano_usd - sums.charged,
        held_nano_usd = b.held_nano_usd - sums.released
      FROM (
        SELECT m.account_id, sum(m.charged)::bigint AS charged, sum(m.wallet_released)::bigint AS released
        FROM moved m GROUP BY m.account_id
        HAVING sum(m.charged) <> 0 OR sum(m.wallet_released) <> 0
      ) AS sums
      WHERE b.account_id = sums.account_id
    )
    SELECT EXISTS (SELECT 1 FROM before b WHERE b.state = 'settled' AND b.recovered AND NOT b.is_guess) INTO has_late;

    -- What was estimated for a replica that seemed dead is replaced by what is told after all. Its hold was given back
    -- meanwhile: what others have taken of that is gone, and only what is still free can be billed beyond the estimate.
    IF has_late THEN
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
          latency_ms = s_latency[late.place], first_byte_ms = s_first_byte[late.place], recovered = false
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
          charged_nano_usd = u.charged_nano_usd + CASE WHEN late.charges_balance THEN raised ELSE 0 END
          FROM requests r
          WHERE r.id = late.id AND r.started_at = late.started_at AND u.key_id = r.key_id
            AND u.hour = date_trunc('hour', r.started_at, 'UTC') AND u.model = coalesce(r.model, '');
        UPDATE key_totals t SET spent_nano_usd = t.spent_nano_usd + raised WHERE t.key_id = late.key_id;
        IF late.charges_balance THEN
          UPDATE balances b SET available_nano_usd = b.available_nano_usd - raised
            WHERE b.account_id = late.account_id;
        END IF;
      END LOOP;
    END IF;
  END IF;

  IF cardinality(h_id) > 0 THEN
    -- Who holds, lives: a replica that was away for a while must not be found dead with what it holds from now on.
    IF NOT EXISTS (
      SELECT 1 FROM replicas p WHERE p.id = replica AND p.heartbeat_at > clock_timestamp() - beat_within
    ) THEN
      INSERT INTO replicas (id, heartbeat_at) VALUES (replica, clock_timestamp())
        ON CONFLICT (id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at;
    END IF;
    -- Where all that is asked of a key and of a balance fits, nothing need be decided one by one.
    SELECT array_agg(k.key_id) INTO tight_keys FROM (
      SELECT i.key_id FROM unnest(h_key, h_cap, h_want) AS i(key_id, cap, want)
      LEFT JOIN key_totals t ON t.key_id = i.key_id
      GROUP BY i.key_id, t.key_id, t.spent_nano_usd, t.held_nano_usd
      HAVING t.key_id IS NULL OR is_retry OR sum(i.want) > min(i.cap) - t.spent_nano_usd - t.held_nano_usd
    ) AS k;
    SELECT array_agg(a.account_id) INTO tight_accounts FROM (
      SELECT i.account_id FROM unnest(h_account, h_charges, h_want) AS i(account_id, charges, want)
      LEFT JOIN balances b ON b.account_id = i.account_id
      WHERE i.charges
      GROUP BY i.account_id, b.account_id, b.available_nano_usd, b.held_nano_usd
      HAVING b.account_id IS NULL OR sum(i.want) > b.available_nano_usd - b.held_nano_usd
    ) AS a;

    WITH easy AS MATERIALIZED (
      SELECT to_timestamp(i.started_ms / 1000.0) AS started_at, i.* FROM unnest(
        h_id, h_started_ms, h_account, h_key, h_endpoint, h_model, h_streamed, h_price, h_ppm, h_input, h_input_cost,
        h_charges, h_want
      ) AS i(id, started_ms, account_id, key_id, endpoint, model, streamed, price_id, price_ppm, input, input_cost,
        charges, want)
      WHERE (tight_keys IS NULL OR NOT i.key_id = ANY (tight_keys))
        AND (tight_accounts IS NULL OR NOT i.charges OR NOT i.account_id = ANY (tight_accounts))
    ), inserted AS (
      INSERT INTO requests (
        id, started_at, account_id, key_id, endpoint, model, streamed, state, status, input_tokens, price_id,
        price_ppm, cost_nano_usd, held_nano_usd, charges_balance, replica_id, latency_ms)
      SELECT
        e.id, e.started_at, e.account_id, e.key_id, e.endpoint, e.model, e.streamed, 'held', 0, e.input, e.price_id,
        e.price_ppm, least(e.input_cost, e.want), e.want, e.charges, replica, 0
      FROM easy e
    ), by_key AS (
      UPDATE key_totals t SET held_nano_usd = t.held_nano_usd + sums.want
      FROM (SELECT e.key_id, sum(e.want)::bigint AS want FROM easy e GROUP BY e.key_id) AS sums
      WHERE t.key_id = sums.key_id
    )
    UPDATE balances b SET held_nano_usd = b.held_nano_usd + sums.want
    FROM (SELECT e.account_id, sum(e.want)::bigint AS want FROM easy e WHERE e.charges GROUP BY e.account_id) AS sums
    WHERE b.account_id = sums.account_id;

    IF tight_keys IS NOT NULL OR tight_accounts IS NOT NULL THEN
      FOR hold IN
        SELECT to_timestamp(i.started_ms / 1000.0) AS started_at, i.* FROM unnest(
          h_id, h_started_ms, h_account, h_key, h_endpoint, h_model, h_streamed, h_price, h_ppm, h_input,
          h_input_cost, h_charges, h_cap, h_want, h_soft, h_min
        ) WITH ORDINALITY AS i(id, started_ms, account_id, key_id, endpoint, model, streamed, price_id, price_ppm,
          input, input_cost, charges, cap, want, soft, least_wanted, place)
        WHERE i.key_id = ANY (tight_keys) OR (i.charges AND i.account_id = ANY (tight_accounts))
        ORDER BY i.place
      LOOP
        IF is_retry THEN
          SELECT r.held_nano_usd, r.state = 'held' INTO granted, was_held FROM requests r
            WHERE r.id = hold.id AND r.started_at = hold.started_at;
          IF FOUND THEN
            -- Where it was taken for lost meanwhile, it holds nothing any more: the caller may try again.
            RETURN QUERY SELECT 'h', hold.place, CASE WHEN was_held THEN 'granted' ELSE 'reserved' END,
              CASE WHEN was_held THEN granted ELSE 0 END, NULL::bigint;
            CONTINUE;
          END IF;
        END IF;
        SELECT t.spent_nano_usd, t.held_nano_usd INTO spent, key_held FROM key_totals t WHERE t.key_id = hold.key_id;
        IF NOT FOUND THEN
          RETURN QUERY SELECT 'h', hold.place, 'gone', 0::bigint, NULL::bigint;
          CONTINUE;
        END IF;
        room_settled := no_limit;
        room_free := no_limit;
        IF hold.cap IS NOT NULL THEN
          room_settled := hold.cap - spent;
          room_free := room_settled - key_held;
        END IF;
        IF hold.charges THEN
          SELECT b.available_nano_usd, b.held_nano_usd INTO available, wallet_held FROM balances b
            WHERE b.account_id = hold.account_id;
          IF NOT FOUND THEN
            RETURN QUERY SELECT 'h', hold.place, 'gone', 0::bigint, NULL::bigint;
            CONTINUE;
          END IF;
          room_settled := least(room_settled, available);
          room_free := least(room_free, available - wallet_held);
        END IF;
        -- A hold that others have cut short would make a poor answer: it waits for them instead.
        IF room_free >= greatest(hold.least_wanted, least(hold.soft, room_settled)) THEN
          granted := least(hold.want, room_free);
          INSERT INTO requests (
            id, started_at, account_id, key_id, endpoint, model, streamed, state, status, input_tokens, price_id,
            price_ppm, cost_nano_usd, held_nano_usd, charges_balance, replica_id, latency_ms)
          VALUES (
            hold.id, hold.started_at, hold.account_id, hold.key_id, hold.endpoint, hold.model, hold.streamed, 'held',
            0, hold.input, hold.price_id, hold.price_ppm, least(hold.input_cost, granted), granted, hold.charges,
            replica, 0);
          UPDATE key_totals t SET held_nano_usd = t.held_nano_usd + granted WHERE t.key_id = hold.key_id;
          IF hold.charges THEN
            UPDATE balances b SET held_nano_usd = b.held_nano_usd + granted WHERE b.account_id = hold.account_id;
          END IF;
          IF granted < hold.want THEN
            RETURN QUERY SELECT 'h', hold.place, 'granted', granted, NULL::bigint;
          END IF;
        ELSIF hold.cap IS NOT NULL AND hold.cap - spent < hold.least_wanted THEN
          RETURN QUERY SELECT 'h', hold.place, 'budget_exceeded', hold.cap - spent, NULL::bigint;
        ELSIF hold.charges AND available < hold.least_wanted THEN
          RETURN QUERY SELECT 'h', hold.place, 'insufficient_balance', available, NULL::bigint;
        ELSE
          RETURN QUERY SELECT 'h', hold.place, 'reserved', room_settled, NULL::bigint;
        END IF;
      END LOOP;
    END IF;
  END IF;

  RETURN QUERY SELECT 'k', NULL::bigint, t.key_id, t.spent_nano_usd, t.held_nano_usd
    FROM key_totals t WHERE t.key_id = ANY (s_key || h_key);
  RETURN QUERY SELECT 'b', NULL::bigint, b.account_id, b.available_nano_usd, b.held_nano_usd
    FROM balances b WHERE b.account_id = ANY (accounts_moved);
END $$;
