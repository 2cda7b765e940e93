-- Every account has a balance.
CREATE OR REPLACE FUNCTION open_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO balances (account_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
