-- Which requests are held stands in a table of its own. As a condition of an index of requests it made each settlement
-- write all indexes of its row anew, three levels deep where there are many; now the row changes on its page alone.

CREATE TABLE held_requests (
  id text PRIMARY KEY,
  started_at timestamptz NOT NULL
-- Every row is soon deleted: the table is cleaned by how much that was, not by how large it is.
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);
INSERT INTO held_requests (id, started_at) SELECT id, started_at FROM requests WHERE state = 'held';
DROP INDEX requests_held;

-- A page leaves room for what its rows become when they are settled.
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'requests'::regclass LOOP
    EXECUTE format('ALTER TABLE %s SET (fillfactor = 42)', part);
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
      'CREATE TABLE IF NOT EXISTS %I PARTITION OF requests FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 42)',
      'requests_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM'),
      month, ((month AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC');
  END LOOP;
END $$;

-- Whatever moves money locks the keys in their order, then the balances in theirs, so that no two wait for each other
-- and each decision is made on what is committed.
CREATE OR REPLACE FUNCTION commit_ledger_batch(
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
      INSERT INTO held_requests (id, started_at)
      SELECT i.id, to_timestamp(i.started_ms / 1000.0)
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
