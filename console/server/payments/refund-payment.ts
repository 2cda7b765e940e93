import type { Payment } from '@tollgate/db/queries/payments/payments';
import {
  claimOpenRefunds,
  refuseRefundRequest,
  requestRefund,
  type NewRefundRequest,
  type RefundObstacle,
  type RefundRequest,
} from '@tollgate/db/queries/payments/refund-requests';
import { deny, notFound } from '../denial.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';
import { showCents } from './amounts.ts';
import { applyEvent } from './apply-event.ts';
import { REFUND_FAILED } from './apply-reversal.ts';
import type { PaymentProvider, RefundAnswer } from './provider.ts';

const MINUTE_MS = 60_000;
const BATCH = 20;
/** Longer than the provider can take to answer, its retries included. */
const UNANSWERED_MS = 3 * MINUTE_MS;
/** Stripe forgets an idempotency key after a day: repeating the request later could refund again. */
const ASK_AGAIN_MS = 20 * 60 * MINUTE_MS;

export const REFUND_OBSTACLES: Record<RefundObstacle, string> = {
  unpaid: 'No funds were received for this payment.',
  refunded: 'This payment is already refunded in full.',
  disputed: 'This payment is disputed. The bank decides who gets the amount.',
  in_progress: 'Another refund of this payment is in progress.',
  other_provider: 'This payment was made with a payment provider that is not set up.',
  unnamed: 'The payment provider has not reported its ID for this payment yet.',
};

/**
 * `made`: refunded, with its ledger entry, credit note and email. `open`: the provider has not answered yet, and is asked
 * again automatically.
 */
export type RefundState = 'made' | 'open';

/**
 * Refunds a payment, in part or whole. The request is stored first; asking the provider and applying its answer can be
 * repeated without refunding twice.
 * @throws a denial if it cannot be refunded
 */
export async function refundPayment(
  deps: Deps,
  provider: PaymentProvider,
  input: Omit<NewRefundRequest, 'provider' | 'now'>,
): Promise<RefundState> {
  const now = new Date(deps.clock.nowMs());
  const requested = await requestRefund(deps.db, { ...input, provider: provider.name, now });
  if (!requested.ok) throw toDenial(requested);
  const { request, payment, isNew } = requested;
  if (request.state === 'refused') throw denyRefused(request.failure ?? '');
  if (!isNew) return request.state;
  const answer = await ask(deps, provider, { request, payment, isRepeated: false });
  if (answer === null) return 'open';
  if (!answer.ok) throw denyRefused(answer.failure);
  return 'made';
}

/** Completes refunds whose result is unknown. */
export async function finishRefunds(deps: Deps): Promise<void> {
  const { db, clock, payments: provider } = deps;
  if (provider === null) return;
  const now = new Date(clock.nowMs());
  const input = { provider: provider.name, now, quietMs: UNANSWERED_MS, limit: BATCH };
  for (const open of await claimOpenRefunds(db, input))
    await ask(deps, provider, { ...open, isRepeated: true });
}

/** @returns null if the result is unknown */
async function ask(
  deps: Deps,
  provider: PaymentProvider,
  asked: { request: RefundRequest; payment: Payment; isRepeated: boolean },
): Promise<RefundAnswer | null> {
  const { request, payment } = asked;
  const createdAt = new Date(deps.clock.nowMs());
  try {
    const answer = await makeRefund(provider, { ...asked, now: createdAt });
    if (answer.ok) {
      const id = `refund:${request.id}`;
      await applyEvent(deps, provider, { id, type: 'tollgate.refund', createdAt, fact: answer.fact });
      if (answer.fact.reversal.state === 'returned') return { ok: false, failure: REFUND_FAILED };
    } else await refuseRefundRequest(deps.db, { request, failure: answer.failure });
    return answer;
  } catch (error) {
    deps.log.warn({ paymentId: payment.id, error: describeError(error) }, 'refund has no result yet');
    return null;
  }
}

/** Requests the refund, or after a day, when a repeated request is not safe, looks for it. */
async function makeRefund(
  provider: PaymentProvider,
  {
    request,
    payment,
    isRepeated,
    now,
  }: { request: RefundRequest; payment: Payment; isRepeated: boolean; now: Date },
): Promise<RefundAnswer> {
  const { paymentIntentId: intentId } = payment;
  if (intentId === null) throw new Error(`The payment ${payment.id} has no ID at the provider`);
  if (now.getTime() - request.createdAt.getTime() > ASK_AGAIN_MS) {
    const refunds = await provider.listRefunds(intentId);
    const fact = refunds.find(({ reversal }) => reversal.requestId === request.id);
    return fact === undefined
      ? { ok: false, failure: 'The payment provider did not respond' }
      : { ok: true, fact };
  }
  const { id: requestId, amountCents } = request;
  return provider.refund({ requestId, paymentId: payment.id, intentId, amountCents, isRepeated });
}

function toDenial({ why, refundableCents }: { why: string; refundableCents: number }) {
  if (why === 'no_payment') return notFound('payment');
  if (why === 'too_much')
    return deny('BAD_REQUEST', `At most $${showCents(refundableCents)} can be refunded.`, {
      field: 'amountUsd',
    });
  if (why === 'reused')
    return deny('BAD_REQUEST', 'Another refund was requested with this request ID. Use a new one.');
  const obstacle = Object.entries(REFUND_OBSTACLES).find(([name]) => name === why)?.[1];
  return deny('BAD_REQUEST', obstacle ?? 'This payment cannot be refunded.');
}

function denyRefused(failure: string) {
  return deny('BAD_REQUEST', `The payment provider refused the refund: ${failure}`);
}
