-- How often the usage of a key and an hour was posted: the next entry takes the next number.
CREATE INDEX ledger_entries_usage ON ledger_entries (key_id, usage_hour) WHERE kind = 'usage';
