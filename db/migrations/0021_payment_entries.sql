-- What the ledger says of one payment is read without the hours of usage around it.
CREATE INDEX ledger_entries_payment ON ledger_entries (payment_id) WHERE payment_id IS NOT NULL;
