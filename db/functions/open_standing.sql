-- Every key is in the list of keys by spend.
CREATE OR REPLACE FUNCTION open_standing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO key_standings (key_id, account_id) VALUES (NEW.id, NEW.account_id);
  RETURN NULL;
END $$;
