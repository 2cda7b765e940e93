import {
  findMonth,
  getMonthRange,
  getStatementState,
  listMonths,
  statementMonthSchema,
  type StatementMonth,
  type StatementState,
} from '@tollgate/core/money/statement-month';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../../transaction.ts';
import type { LedgerEntry } from '../post-entry.ts';
import { CHANGE, STATEMENT_TIME } from './entry-month.ts';

/** Changes of the balance in a month by kind of entry, with their sign, in nano-dollars. */
export type StatementSums = Record<LedgerEntry['kind'], bigint>;

export interface StatementHead {
  month: StatementMonth;
  state: StatementState;
  finalAt: Date;
  openingNanoUsd: bigint;
  sums: StatementSums;
  closingNanoUsd: bigint;
}

/**
 * The statement of every month from an account's first ledger entry to now, the oldest first; empty without entries.
 * Each opens with what the one before closed with.
 */
export async function listStatements(
  db: Connection,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<StatementHead[]> {
  const rows = await db.drizzle.execute<{ month: string; kind: LedgerEntry['kind']; change: bigint }>(sql`
    SELECT to_char(${STATEMENT_TIME} AT TIME ZONE 'UTC', 'YYYY-MM') AS month, kind, sum(${CHANGE})::bigint AS change
    FROM ledger_entries WHERE account_id = ${accountId} GROUP BY 1, 2 ORDER BY 1`);
  const byMonth = new Map<StatementMonth, StatementSums>();
  for (const row of rows) {
    const month = statementMonthSchema.parse(row.month);
    const sums = byMonth.get(month) ?? noSums();
    sums[row.kind] += row.change;
    byMonth.set(month, sums);
  }
  const [first] = byMonth.keys();
  if (first === undefined) return [];
  // An entry may be of a month that has just begun by the database's clock.
  const last = [...byMonth.keys()].at(-1) ?? first;
  const current = findMonth(new Date(nowMs));
  let balance = 0n;
  return listMonths(first, current > last ? current : last).map((month) => {
    const sums = byMonth.get(month) ?? noSums();
    const openingNanoUsd = balance;
    balance += sumChanges(sums);
    const { finalAt } = getMonthRange(month);
    const state = getStatementState(month, nowMs);
    return { month, state, finalAt, openingNanoUsd, sums, closingNanoUsd: balance };
  });
}

export function noSums(): StatementSums {
  return { top_up: 0n, credit: 0n, usage: 0n, adjustment: 0n, refund: 0n, dispute: 0n, dispute_won: 0n };
}

export function sumChanges(sums: StatementSums): bigint {
  return Object.values(sums).reduce((total, change) => total + change, 0n);
}
