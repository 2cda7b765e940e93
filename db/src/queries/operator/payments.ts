import { and, asc, desc, eq, inArray, like, lt, or, sql, type SQL } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { paymentEvents, payments } from '../../schema/payments.ts';
import type { Connection } from '../../transaction.ts';
import type { EventOutcome } from '../payments/payment-events.ts';
import type { Payment } from '../payments/payments.ts';

export type PaymentOfAccount = Payment & { accountName: string };
export type StoredEvent = typeof paymentEvents.$inferSelect;

/** One page of the payments of all accounts, the newest first. */
export async function listPaymentsForOperator(
  db: Connection,
  page: {
    state?: Payment['state'] | undefined;
    /** See {@link isPaidFor}. */
    search?: string | undefined;
    cursor?: string | undefined;
    limit: number;
  },
): Promise<{ payments: PaymentOfAccount[]; nextCursor: string | null }> {
  // Ids sort by creation time. An index is enough to find them.
  const listed = db.drizzle
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        page.state === undefined ? undefined : eq(payments.state, page.state),
        isPaidFor(db, page.search),
        page.cursor === undefined ? undefined : lt(payments.id, page.cursor),
      ),
    )
    .orderBy(desc(payments.id))
    .limit(page.limit + 1)
    .as('listed');
  const rows = await db.drizzle
    .select({ payment: payments, accountName: accounts.name })
    .from(listed)
    .innerJoin(payments, eq(payments.id, listed.id))
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .orderBy(desc(payments.id));
  const shown = rows.slice(0, page.limit).map(({ payment, accountName }) => ({ ...payment, accountName }));
  return { payments: shown, nextCursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null };
}

/**
 * The condition of a search for payments.
 * @param search the id of an account or of a payment, or a part of an account's name or a payer's email
 */
function isPaidFor(db: Connection, search: string | undefined): SQL | undefined {
  if (search === undefined || search === '') return undefined;
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`;
  const named = db.drizzle
    .select({ id: accounts.id })
    .from(accounts)
    .where(like(sql`lower(${accounts.name})`, sql`lower(${pattern})`));
  return or(
    eq(payments.accountId, search),
    eq(payments.id, search),
    inArray(payments.accountId, named),
    // Stored in lower case, as a user's email.
    like(payments.payerEmail, pattern),
  );
}

/** One page of the webhook events, the newest first. The cursor is an event's id. */
export async function listPaymentEvents(
  db: Connection,
  page: {
    outcome?: EventOutcome | undefined;
    /** See {@link isPaidFor}; events that concern no payment are then left out. */
    search?: string | undefined;
    cursor?: string | undefined;
    limit: number;
  },
): Promise<{ events: StoredEvent[]; nextCursor: string | null }> {
  const paidFor = isPaidFor(db, page.search);
  const wanted = db.drizzle.select({ id: payments.id }).from(payments).where(paidFor);
  const rows = await db.drizzle
    .select()
    .from(paymentEvents)
    .where(
      and(
        page.outcome === undefined ? undefined : eq(paymentEvents.outcome, page.outcome),
        paidFor === undefined ? undefined : inArray(paymentEvents.paymentId, wanted),
        // The row's own time, since a Date would cut the microseconds off; as a value, for the index.
        page.cursor === undefined
          ? undefined
          : sql`(${paymentEvents.receivedAt}, ${paymentEvents.id}) < (
              (SELECT last.received_at FROM payment_events last WHERE last.id = ${page.cursor}), ${page.cursor})`,
      ),
    )
    .orderBy(desc(paymentEvents.receivedAt), desc(paymentEvents.id))
    .limit(page.limit + 1);
  const events = rows.slice(0, page.limit);
  return { events, nextCursor: rows.length > page.limit ? (events.at(-1)?.id ?? null) : null };
}

/** One page of the webhook events of a payment as received, the oldest first. The cursor is an event's id. */
export async function listEventsOfPayment(
  db: Connection,
  page: { paymentId: string; cursor?: string | undefined; limit: number },
): Promise<{ events: StoredEvent[]; nextCursor: string | null }> {
  const rows = await db.drizzle
    .select()
    .from(paymentEvents)
    .where(
      and(
        eq(paymentEvents.paymentId, page.paymentId),
        page.cursor === undefined
          ? undefined
          : sql`(${paymentEvents.receivedAt}, ${paymentEvents.id}) > (
              (SELECT last.received_at FROM payment_events last WHERE last.id = ${page.cursor}), ${page.cursor})`,
      ),
    )
    .orderBy(asc(paymentEvents.receivedAt), asc(paymentEvents.id))
    .limit(page.limit + 1);
  const events = rows.slice(0, page.limit);
  return { events, nextCursor: rows.length > page.limit ? (events.at(-1)?.id ?? null) : null };
}

export async function findPaymentEvent(db: Connection, id: string): Promise<StoredEvent | null> {
  const [event] = await db.drizzle.select().from(paymentEvents).where(eq(paymentEvents.id, id));
  return event ?? null;
}

/** Locks an event's row while it is processed again. @returns false if there is no such event */
export async function lockPaymentEvent(tx: Connection, id: string): Promise<boolean> {
  const rows = await tx.drizzle
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(eq(paymentEvents.id, id))
    .for('update');
  return rows.length > 0;
}
