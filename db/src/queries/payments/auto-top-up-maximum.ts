import { findMonth, getMonthRange } from '@tollgate/core/money/statement-month';
import { and, eq, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { autoTopUps, payments } from '../../schema/payments.ts';
import { plans } from '../../schema/plans.ts';
import type { Connection } from '../../transaction.ts';
import { priceTopUp } from './price-top-up.ts';

/**
 * Whether another automatic top-up can stay within the month's maximum. Taxes that are added to it are left out: before a
 * charge, {@link fitsMaximum} counts them.
 */
export function isWithinMaximum(now: Date): SQL {
  return sql`(${autoTopUps.monthlyMaxCents} IS NULL
    OR ${sumCharged(sql`${autoTopUps.accountId}`, now)} + ${autoTopUps.amountCents} <= ${autoTopUps.monthlyMaxCents})`;
}

type MaximumFit = { fits: true } | { fits: false; maxCents: number };

/** Whether a charge stays within the month's maximum. Under the lock on the account's settings it stays true. */
export async function fitsMaximum(
  tx: Connection,
  { accountId, now, amountCents }: { accountId: string; now: Date; amountCents: number },
): Promise<MaximumFit> {
  const [settings] = await tx.drizzle
    .select({ maxCents: autoTopUps.monthlyMaxCents })
    .from(autoTopUps)
    .where(eq(autoTopUps.accountId, accountId));
  const maxCents = settings?.maxCents ?? null;
  if (maxCents === null) return { fits: true };
  const fits = (await readCharged(tx, { accountId, now })) + amountCents <= maxCents;
  return fits ? { fits } : { fits, maxCents };
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
  /** Of another top-up, with its taxes. */
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
  const candidates = await tx.drizzle
    .select({
      accountId: autoTopUps.accountId,
      creditCents: autoTopUps.amountCents,
    })
    .from(autoTopUps)
    .where(
      and(
        eq(autoTopUps.enabled, true),
        isNotNull(autoTopUps.monthlyMaxCents),
        isNews,
        inArray(autoTopUps.accountId, prepaid),
        // Added taxes are at most as much as the credit.
        sql`${sumCharged(sql`${autoTopUps.accountId}`, now)} + 2 * ${autoTopUps.amountCents} > ${autoTopUps.monthlyMaxCents}`,
      ),
    )
    .for('update', { of: autoTopUps, skipLocked: true });
  const reached: MaximumReached[] = [];
  for (const { accountId, creditCents } of candidates) {
    const { amountCents } = await priceTopUp(tx, { accountId, creditCents });
    const maximum = await fitsMaximum(tx, { accountId, now, amountCents });
    if (maximum.fits) continue;
    await tx.drizzle
      .update(autoTopUps)
      .set({ maxNotifiedAt: now })
      .where(eq(autoTopUps.accountId, accountId));
    reached.push({ accountId, amountCents, maxCents: maximum.maxCents });
  }
  return reached;
}

/**
 * Starts no automatic top-up before a time, since its taxes would exceed the maximum. Changed settings end that.
 * @returns true if the members were not notified this month
 */
export async function pauseAutoTopUp(
  tx: Connection,
  { accountId, now }: { accountId: string; now: Date },
): Promise<boolean> {
  const { from, to } = getMonthRange(findMonth(now));
  const [before] = await tx.drizzle
    .select({ notifiedAt: autoTopUps.maxNotifiedAt })
    .from(autoTopUps)
    .where(eq(autoTopUps.accountId, accountId))
    .for('update');
  if (before === undefined) return false;
  const isNews = before.notifiedAt === null || before.notifiedAt < from;
  await tx.drizzle
    .update(autoTopUps)
    .set({ nextAttemptAt: to, ...(isNews && { maxNotifiedAt: now }) })
    .where(eq(autoTopUps.accountId, accountId));
  return isNews;
}
