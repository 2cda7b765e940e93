-- One transaction for everything that waits on a replica: first it settles, which makes room, then it admits.
-- Every list is a column: the n-th entries of all `s_` lists are one settlement, those of all `h_` lists one hold.

-- Decides one by one those holds that ask for more than there is.
CREATE FUNCTION admit_tight_holds(
  replica text, is_retry boolean, tight_keys text[], tight_accounts text[],
  h_id text[], h_started_ms bigint[], h_account text[], h_key text[], h_endpoint text[], h_model text[],
  h_streamed boolean[], h_price bigint[], h_ppm integer[], h_input integer[], h_input_cost bigint[],
  h_charges boolean[], h_cap bigint[], h_want bigint[], h_soft bigint[], h_min bigint[]
-- A hold that was not given its whole worst case, by its place from 1: a verdict and an amount.
) RETURNS TABLE (place bigint, verdict text, amount bigint) LANGUAGE plpgsql AS $$
DECLARE
  hold record;
  spent bigint;
  key_held bigint;
  available bigint;
  wallet_held bigint;
  room_settled bigint;
  room_free bigint;
  granted bigint;
  was_held boolean;
  no_limit CONSTANT bigint := 9223372036854775807;
BEGIN
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
        RETURN QUERY SELECT hold.place, CASE WHEN was_held THEN 'granted' ELSE 'reserved' END,
          CASE WHEN was_held THEN granted ELSE 0 END;
        CONTINUE;
      END IF;
    END IF;
    SELECT t.spent_nano_usd, t.held_nano_usd INTO spent, key_held FROM key_totals t WHERE t.key_id = hold.key_id;
    IF NOT FOUND THEN
      RETURN QUERY SELECT hold.place, 'gone', 0::bigint;
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
        RETURN QUERY SELECT hold.place, 'gone', 0::bigint;
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
        RETURN QUERY SELECT hold.place, 'granted', granted;
      END IF;
    ELSIF hold.cap IS NOT NULL AND hold.cap - spent < hold.least_wanted THEN
      RETURN QUERY SELECT hold.place, 'budget_exceeded', hold.cap - spent;
    ELSIF hold.charges AND available < hold.least_wanted THEN
      RETURN QUERY SELECT hold.place, 'insufficient_balance', available;
    ELSE
      RETURN QUERY SELECT hold.place, 'reserved', room_settled;
    END IF;
  END LOOP;
END $$;

-- Asks for a part of budgets and balances, by what is committed.
CREATE FUNCTION admit_holds(
  replica text, is_retry boolean,
  h_id text[], h_started_ms bigint[], h_account text[], h_key text[], h_endpoint text[], h_model text[],
  h_streamed boolean[], h_price bigint[], h_ppm integer[], h_input integer[], h_input_cost bigint[],
  h_charges boolean[], h_cap bigint[], h_want bigint[], h_soft bigint[], h_min bigint[]
-- As of admit_tight_holds.
) RETURNS TABLE (place bigint, verdict text, amount bigint) LANGUAGE plpgsql AS $$
DECLARE
  tight_keys text[];
  tight_accounts text[];
  -- A replica that says less often that it lives is late; one that is silent for a few times as long is dead.
  beat_within CONSTANT interval := '10 seconds';
BEGIN
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
    RETURN QUERY SELECT * FROM admit_tight_holds(
      replica, is_retry, tight_keys, tight_accounts,
      h_id, h_started_ms, h_account, h_key, h_endpoint, h_model, h_streamed, h_price, h_ppm, h_input, h_input_cost,
      h_charges, h_cap, h_want, h_soft, h_min);
  END IF;
END $$;

-- How long requests took that were answered in full, and how long until their callers had a first byte, by time_bucket.
ALTER TABLE usage_hourly
  ADD COLUMN latency_counts integer[] NOT NULL DEFAULT array_fill(0, ARRAY[29]),
  ADD COLUMN first_byte_counts integer[] NOT NULL DEFAULT array_fill(0, ARRAY[29]);
UPDATE usage_hourly u SET latency_counts = r.latency_counts, first_byte_counts = r.first_byte_counts
FROM (
  SELECT key_id, date_trunc('hour', started_at, 'UTC') AS hour, coalesce(model, '') AS model,
    count_times(CASE WHEN error_code IS NULL THEN latency_ms END, 1) AS latency_counts,
    count_times(first_byte_ms, 1) AS first_byte_counts
  FROM requests WHERE state = 'settled' GROUP BY 1, 2, 3
) AS r
WHERE u.key_id = r.key_id AND u.hour = r.hour AND u.model = r.model;

DROP FUNCTION commit_ledger_batch;
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
      s_recovered
    ) > 0 THEN
      PERFORM tell_late_truths(
        s_id, s_started_ms, s_provider, s_upstream_model, s_route, s_attempts, s_streamed, s_status, s_error, s_input,
        s_cache_read, s_cache_write, s_cache_write_1h, s_output, s_estimated, s_cost, s_operator_cost, s_latency,
        s_first_byte, s_queue, s_hold_wait, s_connect, s_held, s_recovered);
    END IF;
  END IF;
  IF cardinality(h_id) > 0 THEN
    RETURN QUERY SELECT 'h', h.place, h.verdict, h.amount, NULL::bigint FROM admit_holds(
      replica, is_retry,
      h_id, h_started_ms, h_account, h_key, h_endpoint, h_model, h_streamed, h_price, h_ppm, h_input, h_input_cost,
      h_charges, h_cap, h_want, h_soft, h_min
    ) AS h;
  END IF;

  RETURN QUERY SELECT 'k', NULL::bigint, t.key_id, t.spent_nano_usd, t.held_nano_usd
    FROM key_totals t WHERE t.key_id = ANY (s_key || h_key);
  RETURN QUERY SELECT 'b', NULL::bigint, b.account_id, b.available_nano_usd, b.held_nano_usd
    FROM balances b WHERE b.account_id = ANY (accounts_moved);
END $$;
