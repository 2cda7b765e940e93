-- Every entry except usage changes the balance, and replicas read it again. Usage is charged by `settle_requests`.
CREATE OR REPLACE FUNCTION move_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind <> 'usage' THEN
    UPDATE balances SET available_nano_usd = available_nano_usd
      + CASE WHEN NEW.credit = 'wallet' THEN NEW.amount_nano_usd ELSE -NEW.amount_nano_usd END
      WHERE account_id = NEW.account_id;
    PERFORM pg_notify('tollgate_changes', 'account ' || NEW.account_id);
  END IF;
  RETURN NULL;
END $$;
