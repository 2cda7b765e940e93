-- Receipts and credit notes that never change, what customers are billed as, and tax rates.

CREATE TABLE billing_details (
  account_id text PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  company_name text NOT NULL DEFAULT '' CHECK (length(company_name) <= 200),
  -- Several lines, without the country.
  address text NOT NULL DEFAULT '' CHECK (length(address) <= 500),
  -- ISO 3166-1 alpha-2; null: not known.
  country text CHECK (country ~ '^[A-Z]{2}$'),
  tax_id text NOT NULL DEFAULT '' CHECK (length(tax_id) <= 40),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE tax_rates (
  id text PRIMARY KEY,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  -- Parts per million: 190000 is 19 %.
  rate_ppm integer NOT NULL CHECK (rate_ppm BETWEEN 1 AND 1000000),
  -- null: customers of all countries without a rate.
  country text CHECK (country ~ '^[A-Z]{2}$'),
  -- True: customers with a tax ID pay no tax here, and owe it themselves.
  reverse_charge boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (country, name)
);

-- The last number of each kind and year. The row's lock makes numbers follow each other without gaps.
CREATE TABLE document_numbers (
  kind text NOT NULL CHECK (kind IN ('receipt', 'credit_note')),
  year integer NOT NULL,
  last integer NOT NULL CHECK (last >= 0),
  PRIMARY KEY (kind, year)
);

CREATE TABLE billing_documents (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('receipt', 'credit_note')),
  number text NOT NULL UNIQUE,
  issued_at timestamptz NOT NULL,
  account_id text NOT NULL REFERENCES accounts,
  payment_id text NOT NULL REFERENCES payments,
  -- The ledger entry of the same amount.
  entry_key text NOT NULL UNIQUE,
  -- A credit note corrects a receipt; a receipt corrects a credit note whose refund failed or dispute was won.
  corrects_id text REFERENCES billing_documents,
  -- null: it was not stored.
  issuer text,
  account_name text NOT NULL,
  payer_email text NOT NULL,
  company_name text NOT NULL,
  address text NOT NULL,
  country text,
  tax_id text NOT NULL,
  method_brand text,
  method_last4 text,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  net_cents integer NOT NULL,
  -- [{"name", "ratePpm", "amountCents"}]: with the net amount they add up to the amount.
  taxes jsonb NOT NULL,
  reverse_charge boolean NOT NULL DEFAULT false,
  CHECK (kind = 'receipt' OR corrects_id IS NOT NULL)
);
CREATE INDEX billing_documents_account ON billing_documents (account_id, issued_at);
CREATE INDEX billing_documents_payment ON billing_documents (payment_id);

-- Documents are only added. Erasing a person replaces their email and the name of their account.
CREATE OR REPLACE FUNCTION refuse_document_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'payer_email' - 'account_name' = to_jsonb(OLD) - 'payer_email' - 'account_name'
      AND (NEW.payer_email = OLD.payer_email OR NEW.payer_email LIKE '%@deleted.invalid')
      AND (NEW.account_name = OLD.account_name OR NEW.account_name = 'Deleted account')
    THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'billing documents are never changed' USING ERRCODE = 'restrict_violation';
END $$;

-- Receipts that were given out before, with the numbers they had.
INSERT INTO billing_documents (id, kind, number, issued_at, account_id, payment_id, entry_key, account_name, payer_email,
  company_name, address, tax_id, method_brand, method_last4, amount_cents, net_cents, taxes)
SELECT 'doc_' || substr(md5('top_up:' || p.id), 1, 26), 'receipt', p.receipt_number, p.paid_at, p.account_id, p.id,
  'top_up:' || p.id, a.name, p.payer_email, '', '', '', p.method_brand, p.method_last4, p.amount_cents, p.amount_cents, '[]'
FROM payments p JOIN accounts a ON a.id = p.account_id WHERE p.receipt_number IS NOT NULL;

-- What was taken back before gets credit notes, and what was returned then gets receipts, in the order of the ledger.
CREATE TEMPORARY TABLE past_corrections ON COMMIT DROP AS
SELECT e.idempotency_key AS entry_key, e.at, e.payment_id, e.debit = 'wallet' AS is_taken,
  extract(year FROM e.at AT TIME ZONE 'UTC')::integer AS year, (e.amount_nano_usd / 10000000)::integer AS cents,
  row_number() OVER (PARTITION BY e.debit = 'wallet', extract(year FROM e.at AT TIME ZONE 'UTC') ORDER BY e.at, e.id)
    AS position
FROM ledger_entries e WHERE e.kind IN ('refund', 'dispute', 'dispute_won') AND e.payment_id IS NOT NULL;

INSERT INTO document_numbers (kind, year, last)
SELECT 'receipt', split_part(receipt_number, '-', 2)::integer, max(split_part(receipt_number, '-', 3)::integer)
FROM payments WHERE receipt_number ~ '^R-\d{4}-\d{1,9}$' GROUP BY 2;

INSERT INTO billing_documents (id, kind, number, issued_at, account_id, payment_id, entry_key, corrects_id, account_name,
  payer_email, company_name, address, tax_id, method_brand, method_last4, amount_cents, net_cents, taxes)
SELECT 'doc_' || substr(md5(c.entry_key), 1, 26), CASE WHEN c.is_taken THEN 'credit_note' ELSE 'receipt' END,
  CASE WHEN c.is_taken THEN 'C-' ELSE 'R-' END || c.year || '-'
    || lpad((c.position + CASE WHEN c.is_taken THEN 0 ELSE coalesce(n.last, 0) END)::text, 6, '0'),
  c.at, r.account_id, c.payment_id, c.entry_key, r.id, r.account_name, r.payer_email, '', '', '', r.method_brand,
  r.method_last4, c.cents, c.cents, '[]'
FROM past_corrections c
JOIN billing_documents r ON r.entry_key = 'top_up:' || c.payment_id
LEFT JOIN document_numbers n ON n.kind = 'receipt' AND n.year = c.year;

INSERT INTO document_numbers AS known (kind, year, last)
SELECT kind, split_part(number, '-', 2)::integer, max(split_part(number, '-', 3)::integer)
FROM billing_documents WHERE number ~ '^[RC]-\d{4}-\d{1,9}$' GROUP BY 1, 2
ON CONFLICT (kind, year) DO UPDATE SET last = greatest(known.last, excluded.last);

DROP SEQUENCE receipt_numbers;

CREATE TRIGGER billing_documents_fixed BEFORE UPDATE OR DELETE ON billing_documents
  FOR EACH ROW EXECUTE FUNCTION refuse_document_change();
CREATE TRIGGER billing_documents_no_truncate BEFORE TRUNCATE ON billing_documents
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_document_change();
