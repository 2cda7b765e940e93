import { createId } from '@tollgate/core/runtime/ids';
import { and, count, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { balances } from '../../schema/ledger.ts';
import { autoTopUps, paymentMethods, payments } from '../../schema/payments.ts';
import { plans } from '../../schema/plans.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { fitsMaximum, isWithinMaximum } from './auto-top-up-maximum.ts';
import { priceTopUp } from './price-top-up.ts';
import type { Payment, PaymentProviderName } from './payments.ts';

/** An automatic top-up that is to be charged. */
export interface AutoCharge {
  payment: Payment;
  customerId: string;
  methodId: string;
}

interface ClaimInput {
  provider: PaymentProviderName;
  now: Date;
  /** An account that was claimed is not claimed again for so long, whatever becomes of the payment. */
  pauseMs: number;
  limit: number;
}

/**
 * Creates a payment for each account whose balance has fallen below its threshold. Concurrent calls claim different
 * accounts, and an account that is being charged is not claimed again: an index also ensures that.
 */
export async function claimAutoTopUps(db: Connection, input: ClaimInput): Promise<AutoCharge[]> {
  return inTransaction(db, async (tx) => {
    const due = await selectDue(tx, input);
    const charges: AutoCharge[] = [];
    for (const { accountId, amountCents, payerEmail, customerId, methodId } of due) {
      // A transaction that waits for this row with an older view of the payments finds that it is not due any more.
      await tx.drizzle
        .update(autoTopUps)
        .set({ nextAttemptAt: new Date(input.now.getTime() + input.pauseMs) })
        .where(eq(autoTopUps.accountId, accountId));
      const price = await priceTopUp(tx, { accountId, creditCents: amountCents });
      const next = { accountId, now: input.now, amountCents: price.amountCents };
      if (methodId === null || !(await fitsMaximum(tx, next)).fits) continue;
      const [payment] = await tx.drizzle
        .insert(payments)
        .values({
          id: createId('pay'),
          accountId,
          createdBy: null,
          kind: 'auto',
          provider: input.provider,
          ...price,
          payerEmail,
          createdAt: input.now,
          updatedAt: input.now,
        })
        .onConflictDoNothing()
        .returning();
      if (payment !== undefined) charges.push({ payment, customerId, methodId });
    }
    return charges;
  });
}

/** The rows are held until the payments are written. */
async function selectDue(tx: Connection, { provider, now, limit }: ClaimInput) {
  const isUnderWay = sql`EXISTS (SELECT 1 FROM ${payments} p WHERE p.account_id = ${autoTopUps.accountId}
    AND p.kind = 'auto' AND p.state IN ('created', 'pending'))`;
  return tx.drizzle
    .select({
      accountId: autoTopUps.accountId,
      amountCents: autoTopUps.amountCents,
      customerId: paymentMethods.customerId,
      methodId: paymentMethods.methodId,
      payerEmail: users.email,
    })
    .from(autoTopUps)
    .innerJoin(balances, eq(balances.accountId, autoTopUps.accountId))
    .innerJoin(accounts, eq(accounts.id, autoTopUps.accountId))
    .innerJoin(plans, eq(plans.id, accounts.planId))
    .innerJoin(
      paymentMethods,
      and(eq(paymentMethods.accountId, accounts.id), eq(paymentMethods.provider, provider)),
    )
    .innerJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.role, 'owner')))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(autoTopUps.enabled, true),
        lt(balances.availableNanoUsd, autoTopUps.thresholdNanoUsd),
        isNotNull(paymentMethods.methodId),
        isNull(accounts.suspendedAt),
        eq(plans.isPrepaid, true),
        or(isNull(autoTopUps.nextAttemptAt), lte(autoTopUps.nextAttemptAt, now)),
        sql`NOT ${isUnderWay}`,
        isWithinMaximum(now),
      ),
    )
    .limit(limit)
    .for('update', { of: autoTopUps, skipLocked: true });
}

/**
 * Takes the automatic top-ups for which it is unknown whether the provider was called: the process died, or got no
 * answer. They can be retried under the same idempotency key for as long as the provider keeps it.
 */
export async function reclaimAutoTopUps(
  db: Connection,
  input: { provider: PaymentProviderName; now: Date; quietMs: number; limit: number },
): Promise<AutoCharge[]> {
  const quietSince = new Date(input.now.getTime() - input.quietMs);
  return inTransaction(db, async (tx) => {
    const rows = await tx.drizzle
      .select({ payment: payments, customerId: paymentMethods.customerId, methodId: paymentMethods.methodId })
      .from(payments)
      .innerJoin(
        paymentMethods,
        and(eq(paymentMethods.accountId, payments.accountId), eq(paymentMethods.provider, payments.provider)),
      )
      .where(
        and(
          eq(payments.kind, 'auto'),
          eq(payments.state, 'created'),
          eq(payments.provider, input.provider),
          isNull(payments.paymentIntentId),
          lt(payments.updatedAt, quietSince),
        ),
      )
      .limit(input.limit)
      .for('update', { of: payments, skipLocked: true });
    const charges: AutoCharge[] = [];
    for (const { payment, customerId, methodId } of rows) {
      await tx.drizzle.update(payments).set({ updatedAt: input.now }).where(eq(payments.id, payment.id));
      if (methodId !== null) charges.push({ payment, customerId, methodId });
    }
    return charges;
  });
}

/**
 * How many accounts with automatic top-ups have a card that was not saved on a page with Stripe Tax. Stripe stores no
 * address of them, so it cannot tax their automatic top-ups.
 */
export async function countAutoTopUpsWithoutAddress(db: Connection): Promise<number> {
  const gaveAddress = sql`EXISTS (SELECT 1 FROM ${payments} p WHERE p.account_id = ${autoTopUps.accountId}
    AND p.provider = 'stripe' AND p.tax_mode = 'stripe' AND p.saves_method AND p.paid_at IS NOT NULL)`;
  const [row] = await db.drizzle
    .select({ accounts: count() })
    .from(autoTopUps)
    .innerJoin(
      paymentMethods,
      and(eq(paymentMethods.accountId, autoTopUps.accountId), eq(paymentMethods.provider, 'stripe')),
    )
    .where(and(eq(autoTopUps.enabled, true), isNotNull(paymentMethods.methodId), sql`NOT ${gaveAddress}`));
  return row?.accounts ?? 0;
}

/** A payment went through: failures before it count no longer. */
export async function forgiveAutoTopUp(tx: Connection, accountId: string): Promise<void> {
  await tx.drizzle
    .update(autoTopUps)
    .set({ failures: 0 })
    .where(and(eq(autoTopUps.accountId, accountId), gt(autoTopUps.failures, 0)));
}

/**
 * Counts a failed automatic top-up, in the transaction that marks the payment as failed.
 * @param input.retryAfterMs by the number of failures in a row; after the last one it is switched off
 * @returns true if it was switched off
 */
export async function countAutoTopUpFailure(
  tx: Connection,
  input: { accountId: string; now: Date; retryAfterMs: readonly number[] },
): Promise<boolean> {
  const [settings] = await tx.drizzle
    .select()
    .from(autoTopUps)
    .where(eq(autoTopUps.accountId, input.accountId))
    .for('update');
  if (settings === undefined) return false;
  const delayMs = input.retryAfterMs[settings.failures];
  await tx.drizzle
    .update(autoTopUps)
    .set({
      failures: settings.failures + 1,
      ...(delayMs === undefined
        ? { enabled: false, nextAttemptAt: null }
        : { nextAttemptAt: new Date(input.now.getTime() + delayMs) }),
      updatedAt: sql`now()`,
    })
    .where(eq(autoTopUps.accountId, input.accountId));
  return settings.enabled && delayMs === undefined;
}

/**
 * Turns off automatic top-ups of an account whose balance a refund left below the threshold: they would charge the card
 * again. Runs in the transaction of the refund, with an audit entry.
 * @param input.actorUserId null: the refund was made at the provider
 * @returns true if it was turned off
 */
export async function stopAutoTopUp(
  tx: Connection,
  { accountId, actorUserId }: { accountId: string; actorUserId: string | null },
): Promise<boolean> {
  const available = tx.drizzle
    .select({ nanoUsd: balances.availableNanoUsd })
    .from(balances)
    .where(eq(balances.accountId, accountId));
  const [stopped] = await tx.drizzle
    .update(autoTopUps)
    .set({ enabled: false, nextAttemptAt: null, updatedAt: sql`now()` })
    .where(
      and(
        eq(autoTopUps.accountId, accountId),
        eq(autoTopUps.enabled, true),
        gt(autoTopUps.thresholdNanoUsd, available),
      ),
    )
    .returning();
  if (stopped === undefined) return false;
  const { enabled, thresholdNanoUsd, amountCents, monthlyMaxCents } = stopped;
  await recordAudit(tx, {
    actorUserId,
    accountId,
    action: 'billing.auto_top_up',
    subject: accountId,
    detail: {
      enabled,
      thresholdNanoUsd: thresholdNanoUsd.toString(),
      amountCents,
      monthlyMaxCents,
      isAfterRefund: true,
    },
  });
  return true;
}

/**
 * Takes checkouts and charges of which nothing was heard for a while: their events may have been lost. The older one
 * is, the less often it is taken; after a month never again.
 */
export async function claimQuietPayments(
  db: Connection,
  input: { provider: PaymentProviderName; now: Date; quietMs: number; limit: number },
): Promise<Payment[]> {
  const now = input.now.toISOString();
  const quietSeconds = input.quietMs / 1000;
  const due = db.drizzle
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        sql`${payments.state} IN ('created', 'pending')`,
        eq(payments.provider, input.provider),
        or(isNotNull(payments.paymentIntentId), isNotNull(payments.checkoutSessionId)),
        sql`${payments.createdAt} > ${now}::timestamptz - interval '31 days'`,
        sql`${payments.updatedAt} < ${now}::timestamptz - greatest(
          make_interval(secs => ${quietSeconds}), (${now}::timestamptz - ${payments.createdAt}) / 4)`,
      ),
    )
    .orderBy(payments.updatedAt)
    .limit(input.limit)
    .for('update', { skipLocked: true });
  return db.drizzle
    .update(payments)
    .set({ updatedAt: input.now })
    .where(inArray(payments.id, due))
    .returning();
}
