-- One transaction for everything that waits on a replica: settlements first, which release amounts, then holds.
-- Everything that moves money locks the keys in the order of their ids, then the balances in the order of theirs: no two
-- transactions wait for each other, and each decision uses committed totals.
CREATE OR REPLACE FUNCTION commit_ledger_batch(
  replica text, is_retry boolean, settlements settlement[], holds hold[]
-- kind 'h': a hold, as admit_holds returns it. 'k': a key with its spent and held amounts. 'b': an account with its
-- available and held amounts.
) RETURNS TABLE (kind text, place bigint, subject text, amount bigint, held bigint) LANGUAGE plpgsql
-- It is called hundreds of times a second: its statements are planned once, not for the contents of each batch, and find
-- rows by their index, however small or large the tables are at that moment.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off
AS $$
DECLARE
  keys_moved text[];
  accounts_moved text[];
  held_ids text[];
  found_holds bigint;
BEGIN
  keys_moved := ARRAY(
    SELECT s.key_id FROM unnest(settlements) AS s UNION SELECT h.key_id FROM unnest(holds) AS h);
  accounts_moved := ARRAY(
    SELECT s.account_id FROM unnest(settlements) AS s WHERE s.is_held
    UNION SELECT h.account_id FROM unnest(holds) AS h WHERE h.charges_balance);
  PERFORM 1 FROM key_totals t WHERE t.key_id = ANY (keys_moved) ORDER BY t.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM balances b WHERE b.account_id = ANY (accounts_moved) ORDER BY b.account_id FOR NO KEY UPDATE;

  IF cardinality(settlements) > 0 THEN
    held_ids := ARRAY(SELECT s.id FROM unnest(settlements) AS s WHERE s.is_held);
    DELETE FROM held_requests h WHERE h.id = ANY (held_ids);
    GET DIAGNOSTICS found_holds = ROW_COUNT;
    IF found_holds < cardinality(held_ids) THEN
      settlements := unbill_lost_holds(settlements);
    END IF;
    IF settle_requests(settlements) > 0 THEN
      PERFORM replace_estimates(settlements);
    END IF;
  END IF;
  IF cardinality(holds) > 0 THEN
    RETURN QUERY WITH decided AS MATERIALIZED (
      SELECT * FROM admit_holds(replica, is_retry, holds)
    ), listed AS (
      INSERT INTO held_requests (id, started_at, replica_id)
      SELECT h.id, h.started_at, replica FROM unnest(holds) WITH ORDINALITY AS h
      WHERE NOT EXISTS (SELECT 1 FROM decided d WHERE d.place = h.ordinality AND d.verdict <> 'granted')
      -- A repeated batch may have listed it already.
      ON CONFLICT DO NOTHING
    )
    SELECT 'h', d.place, d.verdict, d.amount, NULL::bigint FROM decided d;
  END IF;

  RETURN QUERY SELECT 'k', NULL::bigint, t.key_id, t.spent_nano_usd, t.held_nano_usd
    FROM key_totals t WHERE t.key_id = ANY (keys_moved);
  RETURN QUERY SELECT 'b', NULL::bigint, b.account_id, b.available_nano_usd, b.held_nano_usd
    FROM balances b WHERE b.account_id = ANY (accounts_moved);
END $$;
