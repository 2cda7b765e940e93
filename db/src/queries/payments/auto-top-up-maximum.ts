import { findMonth, getMonthRange } from '@tollgate/core/money/statement-month';
import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { billingDetails } from '../../schema/documents.ts';
import { autoTopUps, payments } from '../../schema/payments.ts';
import { plans } from '../../schema/plans.ts';
import type { Connection } from '../../transaction.ts';
import { NO_DETAILS } from '../documents/billing-details.ts';
import { boundAddedTaxes, computeTopUpPrice, readTopUpTerms, type TopUpTerms } from './price-top-up.ts';

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

/** Accounts whose price is computed from one query. */
const CANDIDATES_AT_ONCE = 1_000;

/**
 * Takes accounts for which another automatic top-up would exceed the month's maximum: each once a month, and again after
 * the settings change. Runs in the transaction that queues the emails. It locks only the accounts that it takes, and
 * skips accounts that another transaction has locked.
 * @param input.limit the others are taken by the next calls
 */
export async function claimMaximaReached(
  tx: Connection,
  { now, limit }: { now: Date; limit: number },
): Promise<MaximumReached[]> {
  const terms = await readTopUpTerms(tx);
  const exceeding = new Map<string, MaximumReached>();
  let page: Candidate[] = [];
  do {
    page = await listCandidates(tx, { now, terms, after: page.at(-1)?.accountId ?? '' });
    for (const { accountId, creditCents, chargedCents, maxCents, customer } of page) {
      const price = computeTopUpPrice(terms, { creditCents, customer: customer ?? NO_DETAILS });
      const { amountCents } = price;
      if (exceeding.size < limit && chargedCents + amountCents > maxCents)
        exceeding.set(accountId, { accountId, amountCents, maxCents });
    }
  } while (page.length === CANDIDATES_AT_ONCE && exceeding.size < limit);
  return exceeding.size === 0 ? [] : markNotified(tx, { exceeding, now });
}

type Candidate = Awaited<ReturnType<typeof listCandidates>>[number];

/** Accounts whose maximum could be exceeded with the highest taxes of any customer, by ID. */
async function listCandidates(
  tx: Connection,
  { now, terms, after }: { now: Date; terms: TopUpTerms; after: string },
) {
  const { ratePpm, roundingCents } = boundAddedTaxes(terms);
  const charged = sumCharged(sql`${autoTopUps.accountId}`, now);
  return tx.drizzle
    .select({
      accountId: autoTopUps.accountId,
      creditCents: autoTopUps.amountCents,
      maxCents: sql<number>`${autoTopUps.monthlyMaxCents}`,
      chargedCents: sql`${charged}`.mapWith(Number),
      customer: {
        companyName: billingDetails.companyName,
        address: billingDetails.address,
        country: billingDetails.country,
        taxId: billingDetails.taxId,
      },
    })
    .from(autoTopUps)
    .innerJoin(accounts, eq(accounts.id, autoTopUps.accountId))
    .innerJoin(plans, eq(plans.id, accounts.planId))
    .leftJoin(billingDetails, eq(billingDetails.accountId, autoTopUps.accountId))
    .where(
      and(
        gt(autoTopUps.accountId, after),
        eq(autoTopUps.enabled, true),
        isNotNull(autoTopUps.monthlyMaxCents),
        isNews(now),
        isNull(accounts.suspendedAt),
        eq(plans.isPrepaid, true),
        sql`${charged} + ${autoTopUps.amountCents} + ${autoTopUps.amountCents}::bigint * ${ratePpm}::bigint / 1000000
          + ${roundingCents}::int > ${autoTopUps.monthlyMaxCents}`,
      ),
    )
    .orderBy(asc(autoTopUps.accountId))
    .limit(CANDIDATES_AT_ONCE);
}

/** The members were not notified this month. */
function isNews(now: Date): SQL | undefined {
  const { from } = getMonthRange(findMonth(now));
  return or(isNull(autoTopUps.maxNotifiedAt), lt(autoTopUps.maxNotifiedAt, from));
}

/** @returns the accounts that no other call took, and whose maximum was not changed, in the meantime */
async function markNotified(
  tx: Connection,
  { exceeding, now }: { exceeding: ReadonlyMap<string, MaximumReached>; now: Date },
): Promise<MaximumReached[]> {
  const locked = await tx.drizzle
    .select({ accountId: autoTopUps.accountId, maxCents: autoTopUps.monthlyMaxCents })
    .from(autoTopUps)
    .where(
      and(inArray(autoTopUps.accountId, [...exceeding.keys()]), eq(autoTopUps.enabled, true), isNews(now)),
    )
    .for('update', { skipLocked: true });
  const taken = locked.flatMap(({ accountId, maxCents }) => {
    const reached = exceeding.get(accountId);
    return reached === undefined || reached.maxCents !== maxCents ? [] : [reached];
  });
  if (taken.length === 0) return [];
  await tx.drizzle
    .update(autoTopUps)
    .set({ maxNotifiedAt: now })
    .where(
      inArray(
        autoTopUps.accountId,
        taken.map(({ accountId }) => accountId),
      ),
    );
  return taken;
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
