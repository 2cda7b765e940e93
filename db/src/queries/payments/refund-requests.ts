import { createId } from '@tollgate/core/runtime/ids';
import { and, asc, eq, inArray, lt } from 'drizzle-orm';
import { payments, refundRequests } from '../../schema/payments.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { lockPayment, type Payment, type PaymentProviderName } from './payments.ts';
import { listReversals, type Reversal } from './reversals.ts';

export type RefundRequest = typeof refundRequests.$inferSelect;

/**
 * Why a payment cannot be refunded:
 * - `unpaid` no funds were received;
 * - `refunded` nothing is left of it;
 * - `disputed` the bank decides;
 * - `in_progress` another refund has no result yet;
 * - `other_provider` it was paid with a provider that is not set up any more;
 * - `unnamed` its ID at the provider is unknown.
 */
export type RefundObstacle =
  | 'unpaid'
  | 'refunded'
  | 'disputed'
  | 'in_progress'
  | 'other_provider'
  | 'unnamed';

/** How much of a payment can be refunded. */
export type Refundable = { ok: true; cents: number } | { ok: false; why: RefundObstacle };

/** @param provider that is set up now; null: none */
export function getRefundable(
  payment: Payment,
  reversals: readonly Reversal[],
  { provider, hasOpenRequest }: { provider: PaymentProviderName | null; hasOpenRequest: boolean },
): Refundable {
  if (payment.paidAt === null) return { ok: false, why: 'unpaid' };
  if (payment.state === 'disputed') return { ok: false, why: 'disputed' };
  const open = reversals.filter(({ state }) => state === 'open');
  const cents = payment.amountCents - open.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (cents <= 0) return { ok: false, why: 'refunded' };
  if (hasOpenRequest) return { ok: false, why: 'in_progress' };
  if (payment.provider !== provider) return { ok: false, why: 'other_provider' };
  if (payment.paymentIntentId === null) return { ok: false, why: 'unnamed' };
  return { ok: true, cents };
}

export interface NewRefundRequest {
  paymentId: string;
  /** More than 0. */
  amountCents: number;
  reason: string;
  /** null: no user requested it. */
  actorUserId: string | null;
  /** The same for a request that is sent again. */
  requestKey: string;
  provider: PaymentProviderName;
  now: Date;
}

export type RequestRefundResult =
  /** `isNew` false: it was requested before. */
  | { ok: true; isNew: boolean; request: RefundRequest; payment: Payment }
  /** `reused`: another refund has the same key. */
  | { ok: false; why: RefundObstacle | 'no_payment' | 'too_much' | 'reused'; refundableCents: number };

/** Stores a request for a refund, with its audit entry, before the provider is asked. */
export async function requestRefund(db: Connection, input: NewRefundRequest): Promise<RequestRefundResult> {
  const { paymentId, amountCents, reason, actorUserId, requestKey, provider, now } = input;
  return inTransaction(db, async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (payment === null) return { ok: false, why: 'no_payment', refundableCents: 0 };
    const same = await findByKey(tx, requestKey);
    if (same !== null) {
      const isSame =
        same.paymentId === paymentId && same.amountCents === amountCents && same.reason === reason;
      return isSame ? { ok: true, isNew: false, request: same, payment } : REUSED;
    }
    const requests = await listRefundRequests(tx, paymentId);
    const refundable = getRefundable(payment, await listReversals(tx, paymentId), {
      provider,
      hasOpenRequest: requests.some(({ state }) => state === 'open'),
    });
    if (!refundable.ok) return { ...refundable, refundableCents: 0 };
    if (amountCents > refundable.cents)
      return { ok: false, why: 'too_much', refundableCents: refundable.cents };
    const [request] = await tx.drizzle
      .insert(refundRequests)
      .values({
        id: createId('refund'),
        paymentId,
        amountCents,
        reason,
        requestedBy: actorUserId,
        requestKey,
        createdAt: now,
        askedAt: now,
      })
      .onConflictDoNothing({ target: refundRequests.requestKey })
      .returning();
    // A refund of another payment took the key meanwhile.
    if (request === undefined) return REUSED;
    await recordAudit(tx, {
      actorUserId,
      accountId: payment.accountId,
      action: 'payment.refund',
      subject: paymentId,
      detail: { amountCents, reason, refundId: request.id },
    });
    return { ok: true, isNew: true, request, payment };
  });
}

const REUSED = { ok: false, why: 'reused', refundableCents: 0 } as const;

async function findByKey(db: Connection, requestKey: string): Promise<RefundRequest | null> {
  const [request] = await db.drizzle
    .select()
    .from(refundRequests)
    .where(eq(refundRequests.requestKey, requestKey));
  return request ?? null;
}

/** @returns null if the payment has no such request */
export async function findRefundRequest(
  db: Connection,
  { id, paymentId }: { id: string; paymentId: string },
): Promise<RefundRequest | null> {
  const [request] = await db.drizzle
    .select()
    .from(refundRequests)
    .where(and(eq(refundRequests.id, id), eq(refundRequests.paymentId, paymentId)));
  return request ?? null;
}

/** All of a payment, the oldest first. */
export async function listRefundRequests(db: Connection, paymentId: string): Promise<RefundRequest[]> {
  return db.drizzle
    .select()
    .from(refundRequests)
    .where(eq(refundRequests.paymentId, paymentId))
    .orderBy(asc(refundRequests.createdAt), asc(refundRequests.id));
}

/**
 * Marks a request as made, in the transaction that stores the provider's refund.
 * @returns null if the payment has no such request
 */
export async function closeRefundRequest(
  tx: Connection,
  { id, paymentId }: { id: string; paymentId: string },
): Promise<RefundRequest | null> {
  const [request] = await tx.drizzle
    .update(refundRequests)
    .set({ state: 'made', failure: null })
    .where(and(eq(refundRequests.id, id), eq(refundRequests.paymentId, paymentId)))
    .returning();
  return request ?? null;
}

/** Notes that the provider refused a refund, with an audit entry. A request that was made stays made. */
export async function refuseRefundRequest(
  db: Connection,
  { request, failure }: { request: RefundRequest; failure: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const payment = await lockPayment(tx, request.paymentId);
    const refused = await tx.drizzle
      .update(refundRequests)
      .set({ state: 'refused', failure })
      .where(and(eq(refundRequests.id, request.id), eq(refundRequests.state, 'open')))
      .returning({ id: refundRequests.id });
    if (refused.length === 0 || payment === null) return;
    await recordAudit(tx, {
      actorUserId: request.requestedBy,
      accountId: payment.accountId,
      action: 'payment.refund_refused',
      subject: request.paymentId,
      detail: { amountCents: request.amountCents, failure, refundId: request.id },
    });
  });
}

/** Takes the refunds for which it is unknown whether the provider made them: the process died, or got no answer. */
export async function claimOpenRefunds(
  db: Connection,
  input: { provider: PaymentProviderName; now: Date; quietMs: number; limit: number },
): Promise<{ request: RefundRequest; payment: Payment }[]> {
  const quietSince = new Date(input.now.getTime() - input.quietMs);
  return inTransaction(db, async (tx) => {
    const rows = await tx.drizzle
      .select({ request: refundRequests, payment: payments })
      .from(refundRequests)
      .innerJoin(payments, eq(payments.id, refundRequests.paymentId))
      .where(
        and(
          eq(refundRequests.state, 'open'),
          eq(payments.provider, input.provider),
          lt(refundRequests.askedAt, quietSince),
        ),
      )
      .orderBy(asc(refundRequests.askedAt))
      .limit(input.limit)
      .for('update', { of: refundRequests, skipLocked: true });
    const ids = rows.map(({ request }) => request.id);
    if (ids.length > 0)
      await tx.drizzle
        .update(refundRequests)
        .set({ askedAt: input.now })
        .where(inArray(refundRequests.id, ids));
    return rows;
  });
}
