import { findMonth, getMonthRange } from '@tollgate/core/money/statement-month';
import { and, eq, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { autoTopUps, payments } from '../../schema/payments.ts';
import { plans } from '../../schema/plans.ts';
import type { Connection } from '../../transaction.ts';

/** Whether another automatic top-up stays within the month's maximum. */
export function isWithinMaximum(now: Date): SQL {
  return sql`(${autoTopUps.monthlyMaxCents} IS NULL
    OR ${sumCharged(sql`${autoTopUps.accountId}`, now)} + ${autoTopUps.amountCents} <= ${autoTopUps.monthlyMaxCents})`;
}

/** Cents that automatic top-ups of an account have charged this month (UTC), in progress included. */
export async function readCharged(
  db: Connection,
  { accountId, now }: { accountId: string; now: Date },
): Promise<number> {
  const [row] = await db.drizzle.execute<{ cents: number }>(
    sql`SELECT ${sumCharged(sql`${accountId}`, now)}::float8 AS cents`,
  );
  return row?.cents ?? 0;
}

function sumCharged(accountId: SQL, now: Date): SQL {
  const { from } = getMonthRange(findMonth(now));
  return sql`(SELECT coalesce(sum(p.amount_cents), 0) FROM ${payments} p
    WHERE p.account_id = ${accountId} AND p.kind = 'auto' AND p.created_at >= ${from.toISOString()}::timestamptz
      AND p.state NOT IN ('failed', 'expired'))`;
}

export interface MaximumReached {
  accountId: string;
  amountCents: number;
  maxCents: number;
}

/**
 * Takes the accounts for which another automatic top-up would exceed the month's maximum: each once a month, and again
 * after the settings change. Runs in the transaction that queues the emails; a concurrent call waits and finds nothing.
 */
export async function claimMaximaReached(tx: Connection, now: Date): Promise<MaximumReached[]> {
  const { from } = getMonthRange(findMonth(now));
  const isNews = or(isNull(autoTopUps.maxNotifiedAt), lt(autoTopUps.maxNotifiedAt, from));
  const prepaid = tx.drizzle
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(plans, eq(plans.id, accounts.planId))
    .where(and(isNull(accounts.suspendedAt), eq(plans.isPrepaid, true)));
  const rows = await tx.drizzle
    .update(autoTopUps)
    .set({ maxNotifiedAt: now })
    .where(
      and(
        eq(autoTopUps.enabled, true),
        isNotNull(autoTopUps.monthlyMaxCents),
        isNews,
        inArray(autoTopUps.accountId, prepaid),
        sql`NOT ${isWithinMaximum(now)}`,
      ),
    )
    .returning({
      accountId: autoTopUps.accountId,
      amountCents: autoTopUps.amountCents,
      maxCents: autoTopUps.monthlyMaxCents,
    });
  return rows.map(({ maxCents, ...row }) => ({ ...row, maxCents: maxCents ?? 0 }));
}
