import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';
import { listViolations, type ViolationRow } from './verify-checks.ts';

/** Balances against the ledger's entries and the usage that is not among them yet. */
export async function findBalanceViolations(tx: Connection): Promise<ViolationRow[]> {
  return listViolations(
    tx,
    sql`
    entries AS (
      SELECT account_id,
        sum(CASE WHEN credit = 'wallet' THEN amount_nano_usd ELSE -amount_nano_usd END) AS amount,
        -- What a payment provider took back cannot be refused, whatever was spent of it.
        sum(CASE WHEN debit = 'wallet' THEN amount_nano_usd ELSE -amount_nano_usd END)
          FILTER (WHERE kind IN ('refund', 'dispute', 'dispute_won')) AS taken_back
      FROM ledger_entries GROUP BY account_id
    ), unposted AS (
      SELECT account_id, sum(charged_nano_usd - posted_nano_usd) AS amount FROM usage_hourly GROUP BY account_id
    ), wallets AS MATERIALIZED (
      SELECT a.id AS account_id, b.available_nano_usd AS available, b.held_nano_usd AS held,
        coalesce(e.amount, 0) - coalesce(u.amount, 0) AS owned, greatest(e.taken_back, 0) AS taken_back
      FROM accounts a
      LEFT JOIN balances b ON b.account_id = a.id
      LEFT JOIN entries e ON e.account_id = a.id
      LEFT JOIN unposted u ON u.account_id = a.id
    ), violations AS (
      SELECT 'balance_missing' AS check, account_id AS subject, 'a balance' AS expected, 'none' AS actual
      FROM wallets WHERE available IS NULL
      UNION ALL
      SELECT 'balance_available', account_id, owned::text, available::text FROM wallets WHERE available <> owned
      UNION ALL
      SELECT 'balance_floor', account_id, 'at least ' || (held - taken_back), available::text
      FROM wallets WHERE available < held - taken_back
    )`,
  );
}
