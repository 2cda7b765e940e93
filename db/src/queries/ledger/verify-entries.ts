import { sql } from 'drizzle-orm';
import { toTextArray } from '../../array-text.ts';
import type { Connection } from '../../transaction.ts';
import { listViolations, type ViolationRow } from './verify-checks.ts';

/** Triggers that keep entries, receipts and credit notes unchanged; the database would accept any change without them. */
const GUARDS = [
  'accounts_open_balance',
  'billing_documents_fixed',
  'billing_documents_no_truncate',
  'ledger_entries_append_only',
  'ledger_entries_move_balance',
  'ledger_entries_no_truncate',
];

/**
 * An entry balances by its form: one amount leaves one book and enters another. This verifies that every row has
 * that form, that the triggers which guard it are enabled, and that usage entries match the posted amounts of usage rows.
 */
export async function findEntryViolations(tx: Connection): Promise<ViolationRow[]> {
  return listViolations(
    tx,
    sql`
    entries AS (
      SELECT key_id, usage_hour AS hour, account_id,
        sum(CASE WHEN debit = 'wallet' THEN amount_nano_usd ELSE -amount_nano_usd END) AS amount
      FROM ledger_entries WHERE kind = 'usage' GROUP BY 1, 2, 3
    ), posted AS (
      SELECT key_id, hour, account_id, sum(posted_nano_usd) AS amount FROM usage_hourly GROUP BY 1, 2, 3
    ), violations AS (
      SELECT 'entry_books' AS check, id AS subject, 'an amount between the wallet and another book' AS expected,
        concat_ws(' ', amount_nano_usd, 'from', debit, 'to', credit) AS actual
      FROM ledger_entries WHERE amount_nano_usd <= 0 OR (debit = 'wallet') = (credit = 'wallet')
      UNION ALL
      SELECT 'entry_guard', guard, 'switched on', CASE WHEN t.oid IS NULL THEN 'gone' ELSE 'switched off' END
      FROM unnest(${toTextArray(GUARDS)}::text::text[]) AS guard LEFT JOIN pg_trigger t ON t.tgname = guard
      WHERE t.oid IS NULL OR t.tgenabled NOT IN ('O', 'A')
      UNION ALL
      SELECT 'usage_posted',
        concat_ws(' ', coalesce(e.key_id, p.key_id),
          to_char(coalesce(e.hour, p.hour) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')),
        coalesce(p.amount, 0)::text, coalesce(e.amount, 0)::text
      FROM entries e
      FULL JOIN posted p ON p.key_id = e.key_id AND p.hour = e.hour AND p.account_id = e.account_id
      WHERE coalesce(p.amount, 0) <> coalesce(e.amount, 0)
    )`,
  );
}
