-- Ledger entries are only added.
CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger entries are never changed' USING ERRCODE = 'restrict_violation';
END $$;
