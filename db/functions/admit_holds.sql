-- Decides holds by the committed totals of their keys and accounts.
CREATE OR REPLACE FUNCTION admit_holds(replica text, is_retry boolean, holds hold[])
-- The same as of admit_tight_holds.
RETURNS TABLE (place bigint, verdict text, amount bigint) LANGUAGE plpgsql AS $$
DECLARE
  tight_keys text[];
  tight_accounts text[];
  -- Replicas send heartbeats more often. Without any for several times as long, they are stale.
  beat_within CONSTANT interval := '10 seconds';
BEGIN
  -- A hold counts as a heartbeat: a replica that was away must not be stale with what it holds from now on.
  IF NOT EXISTS (
    SELECT 1 FROM replicas p WHERE p.id = replica AND p.heartbeat_at > clock_timestamp() - beat_within
  ) THEN
    INSERT INTO replicas (id, heartbeat_at) VALUES (replica, clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at;
  END IF;
  -- If a key and a balance cover everything that the batch asks of them, no hold needs its own decision.
  SELECT array_agg(k.key_id) INTO tight_keys FROM (
    SELECT h.key_id FROM unnest(holds) AS h
    LEFT JOIN key_totals t ON t.key_id = h.key_id
    GROUP BY h.key_id, t.key_id, t.spent_nano_usd, t.held_nano_usd
    HAVING t.key_id IS NULL OR is_retry
      OR sum(h.want_nano_usd) > min(h.key_cap_nano_usd) - t.spent_nano_usd - t.held_nano_usd
  ) AS k;
  SELECT array_agg(a.account_id) INTO tight_accounts FROM (
    SELECT h.account_id FROM unnest(holds) AS h
    LEFT JOIN balances b ON b.account_id = h.account_id
    WHERE h.charges_balance
    GROUP BY h.account_id, b.account_id, b.available_nano_usd, b.held_nano_usd
    HAVING b.account_id IS NULL OR sum(h.want_nano_usd) > b.available_nano_usd - b.held_nano_usd
  ) AS a;

  WITH easy AS MATERIALIZED (
    SELECT h.* FROM unnest(holds) AS h
    WHERE (tight_keys IS NULL OR NOT h.key_id = ANY (tight_keys))
      AND (tight_accounts IS NULL OR NOT h.charges_balance OR NOT h.account_id = ANY (tight_accounts))
  ), inserted AS (
    INSERT INTO requests (
      id, started_at, account_id, key_id, endpoint, model, streamed, state, status, input_tokens, price_id,
      price_ppm, cost_nano_usd, held_nano_usd, charges_balance, replica_id, latency_ms, session)
    SELECT
      e.id, e.started_at, e.account_id, e.key_id, e.endpoint, e.model, e.streamed, 'held', 0, e.input_tokens,
      e.price_id, e.price_ppm, least(e.input_cost_nano_usd, e.want_nano_usd), e.want_nano_usd, e.charges_balance,
      replica, 0, e.session
    FROM easy e
  ), listed AS (
    INSERT INTO held_requests (id, started_at, replica_id) SELECT e.id, e.started_at, replica FROM easy e
  ), by_key AS (
    UPDATE key_totals t SET held_nano_usd = t.held_nano_usd + sums.want
    FROM (SELECT e.key_id, sum(e.want_nano_usd)::bigint AS want FROM easy e GROUP BY e.key_id) AS sums
    WHERE t.key_id = sums.key_id
  )
  UPDATE balances b SET held_nano_usd = b.held_nano_usd + sums.want
  FROM (
    SELECT e.account_id, sum(e.want_nano_usd)::bigint AS want FROM easy e WHERE e.charges_balance GROUP BY e.account_id
  ) AS sums
  WHERE b.account_id = sums.account_id;

  IF tight_keys IS NOT NULL OR tight_accounts IS NOT NULL THEN
    RETURN QUERY SELECT * FROM admit_tight_holds(replica, is_retry, tight_keys, tight_accounts, holds);
  END IF;
END $$;
