import { createId } from '@tollgate/core/ids';
import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { payments } from '../schema/payments.ts';
import type { Connection } from '../transaction.ts';

export type Payment = typeof payments.$inferSelect;
export type PaymentProviderName = Payment['provider'];

/** One cent, in nano-dollars. */
export const NANO_USD_PER_CENT = 10_000_000n;

export interface NewPayment {
  accountId: string;
  /** null: nobody, an automatic top-up. */
  createdBy: string | null;
  kind: Payment['kind'];
  provider: PaymentProviderName;
  /** More than 0. */
  amountCents: number;
  savesMethod: boolean;
  payerEmail: string;
}

/** Writes down that somebody is about to pay, before the provider is asked for anything. */
export async function createPayment(db: Connection, input: NewPayment): Promise<Payment> {
  const [payment] = await db.drizzle
    .insert(payments)
    .values({ id: createId('pay'), ...input })
    .returning();
  if (payment === undefined) throw new Error('The payment was not stored');
  return payment;
}

/** Notes the provider's page for a payment. */
export async function attachCheckout(
  db: Connection,
  checkout: { paymentId: string; sessionId: string },
): Promise<void> {
  await db.drizzle
    .update(payments)
    .set({ checkoutSessionId: checkout.sessionId, updatedAt: sql`now()` })
    .where(eq(payments.id, checkout.paymentId));
}

export async function findPayment(db: Connection, id: string): Promise<Payment | null> {
  const [payment] = await db.drizzle.select().from(payments).where(eq(payments.id, id));
  return payment ?? null;
}

/** One page of an account's payments, the newest first. */
export async function listPayments(
  db: Connection,
  page: { accountId: string; cursor?: string | undefined; limit: number },
): Promise<{ payments: Payment[]; nextCursor: string | null }> {
  // Ids sort by their time of making.
  const rows = await db.drizzle
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.accountId, page.accountId),
        page.cursor === undefined ? undefined : lt(payments.id, page.cursor),
      ),
    )
    .orderBy(desc(payments.id))
    .limit(page.limit + 1);
  const shown = rows.slice(0, page.limit);
  return { payments: shown, nextCursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null };
}
