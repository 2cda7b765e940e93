import { createId } from '@tollgate/core/runtime/ids';
import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { payments } from '../../schema/payments.ts';
import type { Connection } from '../../transaction.ts';
import { issueReceipt } from '../documents/issue-document.ts';

export type Payment = typeof payments.$inferSelect;
export type PaymentProviderName = Payment['provider'];

/** One cent, in nano-dollars. */
export const NANO_USD_PER_CENT = 10_000_000n;

export interface NewPayment extends Partial<Pick<Payment, 'taxMode' | 'addedTaxCents' | 'addedTaxes'>> {
  accountId: string;
  /** null: an automatic top-up. */
  createdBy: string | null;
  kind: Payment['kind'];
  provider: PaymentProviderName;
  /** More than 0; with added taxes. */
  amountCents: number;
  savesMethod: boolean;
  payerEmail: string;
}

/** Records a payment before the provider is called. */
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

/** By which of its names a payment is known; null: not by that one. */
export interface PaymentRef {
  paymentId: string | null;
  sessionId: string | null;
  intentId: string | null;
}

/** @returns null if no payment has any of the names */
export async function findNamedPayment(db: Connection, ref: PaymentRef): Promise<Payment | null> {
  const names = [
    ref.paymentId === null ? undefined : eq(payments.id, ref.paymentId),
    ref.intentId === null ? undefined : eq(payments.paymentIntentId, ref.intentId),
    ref.sessionId === null ? undefined : eq(payments.checkoutSessionId, ref.sessionId),
  ];
  for (const isNamed of names) {
    if (isNamed === undefined) continue;
    const [payment] = await db.drizzle.select().from(payments).where(isNamed);
    if (payment !== undefined) return payment;
  }
  return null;
}

/** Reads a payment and locks its row until the transaction ends; every change of a payment starts with this. */
export async function lockPayment(tx: Connection, id: string): Promise<Payment | null> {
  const [payment] = await tx.drizzle.select().from(payments).where(eq(payments.id, id)).for('update');
  return payment ?? null;
}

export type PaymentChange = Partial<
  Pick<Payment, 'state' | 'failure' | 'checkoutSessionId' | 'paymentIntentId' | 'methodBrand' | 'methodLast4'>
>;

/** Changes a payment whose row is locked. */
export async function changePayment(tx: Connection, id: string, change: PaymentChange): Promise<Payment> {
  const [payment] = await tx.drizzle
    .update(payments)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(payments.id, id))
    .returning();
  if (payment === undefined) throw new Error(`There is no payment ${id}`);
  return payment;
}

/**
 * Marks a payment, whose row is locked, as paid, and issues its receipt.
 * @param paid.issuer the operator's name and address on receipts; null: none is set
 */
export async function markPaymentPaid(
  tx: Connection,
  id: string,
  paid: { at: Date; issuer: string | null },
): Promise<Payment> {
  const payment = await findPayment(tx, id);
  if (payment === null) throw new Error(`There is no payment ${id}`);
  const receiptNumber = await issueReceipt(tx, payment, paid);
  const [changed] = await tx.drizzle
    .update(payments)
    .set({ state: 'paid', paidAt: paid.at, failure: null, receiptNumber, updatedAt: sql`now()` })
    .where(eq(payments.id, id))
    .returning();
  if (changed === undefined) throw new Error(`There is no payment ${id}`);
  return changed;
}

export async function findPayment(db: Connection, id: string): Promise<Payment | null> {
  const [payment] = await db.drizzle.select().from(payments).where(eq(payments.id, id));
  return payment ?? null;
}

/** One page of an account's payments, the newest first. */
/** @returns null if the account has no such payment */
export async function findAccountPayment(
  db: Connection,
  query: { accountId: string; paymentId: string },
): Promise<Payment | null> {
  const [row] = await db.drizzle
    .select()
    .from(payments)
    .where(and(eq(payments.id, query.paymentId), eq(payments.accountId, query.accountId)));
  return row ?? null;
}

/** @returns the latest failed automatic top-up; null if none failed */
export async function findFailedAutoTopUp(db: Connection, accountId: string): Promise<Payment | null> {
  const [row] = await db.drizzle
    .select()
    .from(payments)
    .where(and(eq(payments.accountId, accountId), eq(payments.kind, 'auto'), eq(payments.state, 'failed')))
    .orderBy(desc(payments.id))
    .limit(1);
  return row ?? null;
}

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
