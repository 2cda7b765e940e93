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
  -- Each list of rows is read only once for what decides about locks.
  SELECT array_agg(DISTINCT s.key_id), array_agg(DISTINCT s.account_id) FILTER (WHERE s.is_held),
    array_agg(s.id) FILTER (WHERE s.is_held)
    INTO keys_moved, accounts_moved, held_ids FROM unnest(settlements) AS s;
  SELECT keys_moved || array_agg(DISTINCT h.key_id),
    accounts_moved || array_agg(DISTINCT h.account_id) FILTER (WHERE h.charges_balance)
    INTO keys_moved, accounts_moved FROM unnest(holds) AS h;
  PERFORM 1 FROM key_totals t WHERE t.key_id = ANY (keys_moved) ORDER BY t.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM balances b WHERE b.account_id = ANY (accounts_moved) ORDER BY b.account_id FOR NO KEY UPDATE;

  IF cardinality(settlements) > 0 THEN
    IF held_ids IS NOT NULL THEN
      DELETE FROM held_requests h WHERE h.id = ANY (held_ids);
      GET DIAGNOSTICS found_holds = ROW_COUNT;
      IF found_holds < cardinality(held_ids) THEN
        settlements := unbill_lost_holds(settlements);
      END IF;
    END IF;
    IF settle_requests(settlements) > 0 THEN
      PERFORM replace_estimates(settlements);
    END IF;
  END IF;
  IF cardinality(holds) > 0 THEN
    RETURN QUERY SELECT 'h', d.place, d.verdict, d.amount, NULL::bigint FROM admit_holds(replica, is_retry, holds) d;
  END IF;

  RETURN QUERY SELECT 'k', NULL::bigint, t.key_id, t.spent_nano_usd, t.held_nano_usd
    FROM key_totals t WHERE t.key_id = ANY (keys_moved)
    UNION ALL SELECT 'b', NULL::bigint, b.account_id, b.available_nano_usd, b.held_nano_usd
    FROM balances b WHERE b.account_id = ANY (accounts_moved);
END $$;
