import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import { autoTopUps, paymentMethods, payments, providerRemovals } from '../../schema/payments.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import type { PaymentProviderName } from './payments.ts';

export type ProviderRemoval = Pick<
  typeof providerRemovals.$inferSelect,
  'provider' | 'kind' | 'reference' | 'attempts'
>;

/** `none` there is no saved method; `charging` it is being charged, with an unknown result. */
export type MethodRemoval = { ok: true } | { ok: false; reason: 'none' | 'charging' };

/**
 * Deletes an account's saved payment method, and switches its automatic top-ups off, which need one.
 * It is not charged afterwards; a job notifies the provider ({@link claimRemovals}).
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
    await queueRemoval(tx, [{ provider, kind: 'method', reference }]);
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
  await queueRemoval(
    tx,
    customers.map((customer) => ({ ...customer, kind: 'customer' as const })),
  );
}

async function queueRemoval(
  tx: Connection,
  removals: (typeof providerRemovals.$inferInsert)[],
): Promise<void> {
  if (removals.length > 0) await tx.drizzle.insert(providerRemovals).values(removals).onConflictDoNothing();
}

/** Claims removals that are due at a provider. An unfinished one is claimed again, later each time, after a day at most. */
export async function claimRemovals(
  db: Connection,
  input: { provider: PaymentProviderName; now: Date; limit: number },
): Promise<ProviderRemoval[]> {
  const { provider, now } = input;
  const due = db.drizzle
    .select({ kind: providerRemovals.kind, reference: providerRemovals.reference })
    .from(providerRemovals)
    .where(and(eq(providerRemovals.provider, provider), lte(providerRemovals.nextAttemptAt, now)))
    .orderBy(providerRemovals.nextAttemptAt)
    .limit(input.limit)
    .for('update', { skipLocked: true });
  return db.drizzle
    .update(providerRemovals)
    .set({
      attempts: sql`${providerRemovals.attempts} + 1`,
      nextAttemptAt: sql`${now.toISOString()}::timestamptz
        + least(interval '1 day', interval '1 minute' * power(2, least(${providerRemovals.attempts}, 11)))`,
    })
    .where(
      and(
        eq(providerRemovals.provider, provider),
        sql`(${providerRemovals.kind}, ${providerRemovals.reference}) IN ${due}`,
      ),
    )
    .returning({
      provider: providerRemovals.provider,
      kind: providerRemovals.kind,
      reference: providerRemovals.reference,
      attempts: providerRemovals.attempts,
    });
}

/** Records that the provider has deleted it. */
export async function finishRemoval(db: Connection, removal: ProviderRemoval): Promise<void> {
  await db.drizzle
    .delete(providerRemovals)
    .where(
      and(
        eq(providerRemovals.provider, removal.provider),
        eq(providerRemovals.kind, removal.kind),
        eq(providerRemovals.reference, removal.reference),
      ),
    );
}
