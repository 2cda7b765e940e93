-- Decides holds one by one if a key or a balance cannot cover all of them.
CREATE OR REPLACE FUNCTION admit_tight_holds(
  replica text, is_retry boolean, tight_keys text[], tight_accounts text[], holds hold[]
-- For each hold that was not granted in full, by its place in the list from 1: a verdict and an amount.
) RETURNS TABLE (place bigint, verdict text, amount bigint) LANGUAGE plpgsql AS $$
DECLARE
  hold record;
  spent bigint;
  key_held bigint;
  available bigint;
  wallet_held bigint;
  room_settled bigint;
  room_free bigint;
  key_settled bigint;
  key_free bigint;
  soft_turns bigint;
  granted bigint;
  was_held boolean;
  no_limit CONSTANT bigint := 9223372036854775807;
BEGIN
  FOR hold IN
    SELECT h.* FROM unnest(holds) WITH ORDINALITY AS h
    WHERE h.key_id = ANY (tight_keys) OR (h.charges_balance AND h.account_id = ANY (tight_accounts))
    ORDER BY h.ordinality
  LOOP
    IF is_retry THEN
      SELECT r.held_nano_usd, r.state = 'held' INTO granted, was_held FROM requests r
        WHERE r.id = hold.id AND r.started_at = hold.started_at;
      IF FOUND THEN
        -- Its replica was considered stale and the hold was released: the caller may try again.
        RETURN QUERY SELECT hold.ordinality, CASE WHEN was_held THEN 'granted' ELSE 'reserved' END,
          CASE WHEN was_held THEN granted ELSE 0 END;
        CONTINUE;
      END IF;
    END IF;
    SELECT t.spent_nano_usd, t.held_nano_usd INTO spent, key_held FROM key_totals t WHERE t.key_id = hold.key_id;
    IF NOT FOUND THEN
      RETURN QUERY SELECT hold.ordinality, 'gone', 0::bigint;
      CONTINUE;
    END IF;
    key_settled := no_limit;
    key_free := no_limit;
    IF hold.key_cap_nano_usd IS NOT NULL THEN
      key_settled := hold.key_cap_nano_usd - spent;
      key_free := key_settled - key_held;
    END IF;
    room_settled := key_settled;
    room_free := key_free;
    IF hold.charges_balance THEN
      SELECT b.available_nano_usd, b.held_nano_usd INTO available, wallet_held FROM balances b
        WHERE b.account_id = hold.account_id;
      IF NOT FOUND THEN
        RETURN QUERY SELECT hold.ordinality, 'gone', 0::bigint;
        CONTINUE;
      END IF;
      room_settled := least(room_settled, available);
      room_free := least(room_free, available - wallet_held);
    END IF;
    -- Other holds may leave so little that the response would be poor, or that turns of the tools that the provider runs
    -- would not be paid: the request waits for them instead. The budget of a key covers all turns, a balance may cover only
    -- one if no more is left without the other holds.
    soft_turns := least(hold.want_nano_usd, hold.key_min_nano_usd + hold.soft_nano_usd - hold.min_nano_usd);
    IF room_free >= greatest(hold.min_nano_usd, least(soft_turns, room_settled))
      AND key_free >= greatest(hold.key_min_nano_usd, least(soft_turns, key_settled))
    THEN
      granted := least(hold.want_nano_usd, room_free);
      INSERT INTO requests (
        id, started_at, account_id, key_id, endpoint, model, streamed, state, status, input_tokens, price_id,
        price_ppm, cost_nano_usd, held_nano_usd, charges_balance, replica_id, latency_ms, session)
      VALUES (
        hold.id, hold.started_at, hold.account_id, hold.key_id, hold.endpoint, hold.model, hold.streamed, 'held',
        0, hold.input_tokens, hold.price_id, hold.price_ppm, least(hold.input_cost_nano_usd, granted), granted,
        hold.charges_balance, replica, 0, hold.session);
      INSERT INTO held_requests (id, started_at, replica_id) VALUES (hold.id, hold.started_at, replica);
      UPDATE key_totals t SET held_nano_usd = t.held_nano_usd + granted WHERE t.key_id = hold.key_id;
      IF hold.charges_balance THEN
        UPDATE balances b SET held_nano_usd = b.held_nano_usd + granted WHERE b.account_id = hold.account_id;
      END IF;
      IF granted < hold.want_nano_usd THEN
        RETURN QUERY SELECT hold.ordinality, 'granted', granted;
      END IF;
    ELSIF key_settled < hold.key_min_nano_usd THEN
      RETURN QUERY SELECT hold.ordinality, 'budget_exceeded', key_settled;
    ELSIF hold.charges_balance AND available < hold.min_nano_usd THEN
      RETURN QUERY SELECT hold.ordinality, 'insufficient_balance', available;
    ELSE
      RETURN QUERY SELECT hold.ordinality, 'reserved', room_settled;
    END IF;
  END LOOP;
END $$;
