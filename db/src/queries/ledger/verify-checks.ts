import { sql, type SQL } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** What `verifyLedger` verifies, in the order of its report. */
export const LEDGER_CHECKS = [
  'key_spent',
  'key_held',
  'key_budget',
  'key_carried',
  'key_account',
  'usage_hourly',
  'balance_missing',
  'balance_available',
  'balance_held',
  'balance_floor',
  'entry_books',
  'entry_guard',
  'document_amount',
  'usage_posted',
  'usage_rolled',
  'request_once',
  'request_over_hold',
  'request_cost',
  'request_usage',
  'hold_listed',
  'hold_lost',
] as const;
export type LedgerCheck = (typeof LEDGER_CHECKS)[number];

/** One thing that is not as it must be. */
export interface LedgerViolation {
  /** A key, an account, a request, an hour of a key. */
  subject: string;
  /** Amounts in nano-dollars. */
  expected: string;
  actual: string;
}

/** Maximum number of violations that a check lists; the others are counted. */
export const VIOLATIONS_SHOWN = 20;

/** A violation, with the number of all that its check has. */
export interface ViolationRow extends LedgerViolation {
  check: LedgerCheck;
  total: bigint;
}

/**
 * Runs a statement that finds violations.
 * @param violations common table expressions, of which `violations` has the columns check, subject, expected and actual
 * @returns the first few of each check
 */
export async function listViolations(tx: Connection, violations: SQL): Promise<ViolationRow[]> {
  const rows = await tx.drizzle.execute<ViolationRow & Record<string, unknown>>(sql`
    WITH ${violations}
    SELECT n.check, n.subject, n.expected, n.actual, n.total
    FROM (
      SELECT f.*, count(*) OVER (PARTITION BY f.check) AS total,
        row_number() OVER (PARTITION BY f.check ORDER BY f.subject) AS place
      FROM violations f
    ) AS n
    WHERE n.place <= ${VIOLATIONS_SHOWN}
    ORDER BY n.check, n.place`);
  return [...rows];
}
