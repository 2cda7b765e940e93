import { asc, eq, sql } from 'drizzle-orm';
import { paymentReversals } from '../../schema/payments.ts';
import type { Connection } from '../../transaction.ts';

export type Reversal = typeof paymentReversals.$inferSelect;

/**
 * Stores the amount of a refund or a dispute; a returned one stays returned, whatever arrives late. The
 * payment's row must be locked.
 * @returns false if that was known already
 */
export async function putReversal(
  tx: Connection,
  reversal: Pick<Reversal, 'id' | 'paymentId' | 'kind' | 'amountCents' | 'state' | 'requestId'>,
): Promise<boolean> {
  const { amountCents, state } = reversal;
  const rows = await tx.drizzle
    .insert(paymentReversals)
    .values(reversal)
    .onConflictDoUpdate({
      target: paymentReversals.id,
      set: { amountCents, state, updatedAt: sql`now()` },
      setWhere: sql`${paymentReversals.paymentId} = excluded.payment_id AND ${paymentReversals.state} = 'open'
        AND (${paymentReversals.state}, ${paymentReversals.amountCents}) <> (excluded.state, excluded.amount_cents)`,
    })
    .returning({ id: paymentReversals.id });
  return rows.length > 0;
}

/** All of a payment, the oldest first. */
export async function listReversals(tx: Connection, paymentId: string): Promise<Reversal[]> {
  return tx.drizzle
    .select()
    .from(paymentReversals)
    .where(eq(paymentReversals.paymentId, paymentId))
    .orderBy(asc(paymentReversals.createdAt), asc(paymentReversals.id));
}

/** Notes what has been taken from the balance for a reversal, all in all. */
export async function setTaken(tx: Connection, id: string, takenCents: number): Promise<void> {
  await tx.drizzle
    .update(paymentReversals)
    .set({ takenCents, updatedAt: sql`now()` })
    .where(eq(paymentReversals.id, id));
}
