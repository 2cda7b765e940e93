import { sql } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';
import { listViolations, type ViolationRow } from './verify-checks.ts';

/**
 * A key and the keys that replaced it share one budget: the budget of each, less what is carried, adds up to it.
 * A key that was never replaced, and replaces none, carries nothing.
 */
export async function findBudgetViolations(tx: Connection): Promise<ViolationRow[]> {
  return listViolations(
    tx,
    sql`
    RECURSIVE lines AS (
      SELECT k.id AS first, k.id, k.max_budget_nano_usd AS budget FROM api_keys k
      WHERE k.successor_of IS NULL AND EXISTS (SELECT 1 FROM api_keys s WHERE s.successor_of = k.id)
      UNION ALL
      SELECT l.first, s.id, s.max_budget_nano_usd FROM lines l JOIN api_keys s ON s.successor_of = l.id
    ), shares AS (
      SELECT l.first, min(l.budget) AS budget, sum(l.budget - t.carried_nano_usd) AS given
      FROM lines l JOIN key_totals t ON t.key_id = l.id
      GROUP BY l.first
      HAVING count(l.budget) > 0
    ), violations AS (
      SELECT 'key_carried' AS check, first AS subject, budget::text AS expected, given::text AS actual
      FROM shares WHERE given <> budget
      UNION ALL
      SELECT 'key_carried', t.key_id, '0', t.carried_nano_usd::text
      FROM key_totals t LEFT JOIN api_keys k ON k.id = t.key_id
      WHERE t.carried_nano_usd <> 0 AND (
        k.max_budget_nano_usd IS NULL
        OR (k.successor_of IS NULL AND NOT EXISTS (SELECT 1 FROM api_keys s WHERE s.successor_of = t.key_id)))
    )`,
  );
}
