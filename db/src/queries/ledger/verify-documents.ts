import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';
import { listViolations, type ViolationRow } from './verify-checks.ts';

/**
 * Receipts and credit notes against the ledger's entries. An entry has the amount of its document, or the amount without
 * taxes if the payment's taxes were added on top.
 */
export async function findDocumentViolations(tx: Connection): Promise<ViolationRow[]> {
  return listViolations(
    tx,
    sql`
    documents AS (
      SELECT d.entry_key, d.number, d.account_id, d.kind = 'receipt' AS gives,
        CASE WHEN p.tax_mode = 'included' THEN d.amount_cents ELSE d.net_cents END * 10000000::bigint AS amount
      FROM billing_documents d JOIN payments p ON p.id = d.payment_id
    ), entries AS (
      SELECT e.idempotency_key AS entry_key, e.account_id, e.credit = 'wallet' AS gives, e.amount_nano_usd AS amount
      FROM ledger_entries e JOIN payments p ON p.id = e.payment_id
      WHERE e.kind IN ('top_up', 'refund', 'dispute', 'dispute_won')
    ), compared AS (
      SELECT coalesce(d.number, e.entry_key) AS subject,
        coalesce(CASE WHEN d.gives THEN d.amount ELSE -d.amount END, 0) AS expected,
        coalesce(CASE WHEN e.gives THEN e.amount ELSE -e.amount END, 0) AS actual
      FROM documents d
      FULL JOIN entries e ON e.entry_key = d.entry_key AND e.account_id = d.account_id
    ), violations AS (
      SELECT 'document_amount' AS check, subject, expected::text AS expected, actual::text AS actual
      FROM compared WHERE expected <> actual
    )`,
  );
}
