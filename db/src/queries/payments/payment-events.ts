import { eq } from 'drizzle-orm';
import { paymentEvents } from '../../schema/payments.ts';
import type { Connection } from '../../transaction.ts';

export type EventOutcome = (typeof paymentEvents.$inferSelect)['outcome'];

/** Whether an event was processed; two concurrent deliveries are handled by {@link claimPaymentEvent}. */
export async function isPaymentEventKnown(db: Connection, id: string): Promise<boolean> {
  const rows = await db.drizzle
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(eq(paymentEvents.id, id));
  return rows.length > 0;
}

/**
 * Stores an event as the first step of the transaction that processes it. A concurrent delivery of the same event
 * waits for that transaction.
 * @returns false if it was stored before: nothing remains to do
 */
export async function claimPaymentEvent(
  tx: Connection,
  event: { id: string; type: string; createdAt: Date; receivedAt: Date; facts: unknown },
): Promise<boolean> {
  const rows = await tx.drizzle
    .insert(paymentEvents)
    .values({ ...event, outcome: 'ignored' })
    .onConflictDoNothing()
    .returning({ id: paymentEvents.id });
  return rows.length > 0;
}

/** Says what became of an event, in the transaction that claimed it. */
export async function recordEventOutcome(
  tx: Connection,
  id: string,
  result: { outcome: EventOutcome; paymentId: string | null; reason: string | null },
): Promise<void> {
  await tx.drizzle.update(paymentEvents).set(result).where(eq(paymentEvents.id, id));
}
