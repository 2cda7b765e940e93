-- An entry's time is when it is posted, not when its transaction began: one that waited for a payment's lock
-- would stand before what it follows.
ALTER TABLE ledger_entries ALTER COLUMN at SET DEFAULT clock_timestamp();
