import type { JobPayload } from '@tollgate/core/runtime/job-payloads';
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { autoTopUps, paymentMethods, payments } from '../../schema/payments.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { queueJob } from '../jobs/queue-job.ts';
import type { PaymentProviderName } from './payments.ts';

type ProviderRemoval = JobPayload<'remove-payment-data'>;

/** `none` there is no saved method; `charging` it is being charged, with an unknown result. */
export type MethodRemoval = { ok: true } | { ok: false; reason: 'none' | 'charging' };

/**
 * Deletes an account's saved payment method, and switches its automatic top-ups off, which need one.
 * It is not charged afterwards; a job notifies the provider.
 */
export async function removeMethod(
  db: Connection,
  input: { accountId: string; provider: PaymentProviderName; actorUserId: string },
): Promise<MethodRemoval> {
  const { accountId, provider } = input;
  const isAccount = and(eq(paymentMethods.accountId, accountId), eq(paymentMethods.provider, provider));
  return inTransaction(db, async (tx) => {
    // Locked in the order of a charge: first the settings, then the method.
    await tx.drizzle.select().from(autoTopUps).where(eq(autoTopUps.accountId, accountId)).for('update');
    const [method] = await tx.drizzle
      .select()
      .from(paymentMethods)
      .where(and(isAccount, isNotNull(paymentMethods.methodId)))
      .for('update');
    const reference = method?.methodId ?? null;
    if (method === undefined || reference === null) return { ok: false, reason: 'none' };
    if (await isBeingCharged(tx, accountId)) return { ok: false, reason: 'charging' };
    await queueRemovals(tx, [{ provider, kind: 'method', reference }]);
    await tx.drizzle
      .update(paymentMethods)
      .set({ methodId: null, brand: null, last4: null, updatedAt: sql`now()` })
      .where(isAccount);
    await tx.drizzle.update(autoTopUps).set({ enabled: false }).where(eq(autoTopUps.accountId, accountId));
    await recordAudit(tx, {
      actorUserId: input.actorUserId,
      accountId,
      action: 'billing.method_removed',
      subject: accountId,
      detail: { brand: method.brand, last4: method.last4 },
    });
    return { ok: true };
  });
}

async function isBeingCharged(tx: Connection, accountId: string): Promise<boolean> {
  const rows = await tx.drizzle
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.accountId, accountId), eq(payments.kind, 'auto'), eq(payments.state, 'created')))
    .limit(1);
  return rows.length > 0;
}

/** Deletes the provider's customers of accounts, with their saved methods; a job notifies the providers. */
export async function removeCustomers(tx: Connection, accountIds: string[]): Promise<void> {
  const customers = await tx.drizzle
    .delete(paymentMethods)
    .where(inArray(paymentMethods.accountId, accountIds))
    .returning({ provider: paymentMethods.provider, reference: paymentMethods.customerId });
  await queueRemovals(
    tx,
    customers.map((customer) => ({ ...customer, kind: 'customer' as const })),
  );
}

async function queueRemovals(tx: Connection, removals: readonly ProviderRemoval[]): Promise<void> {
  for (const removal of removals) {
    const key = `${removal.provider}:${removal.kind}:${removal.reference}`;
    await queueJob(tx, { name: 'remove-payment-data', key, payload: removal });
  }
}
