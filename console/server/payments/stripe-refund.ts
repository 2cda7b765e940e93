import { Stripe } from 'stripe';
import { readRefund, refundSchema } from './parse-event.ts';
import type { RefundAnswer, RefundOrder } from './provider.ts';

/** https://docs.stripe.com/api/refunds/create */
export async function refund(stripe: Stripe, order: RefundOrder): Promise<RefundAnswer> {
  try {
    const made = await stripe.refunds.create(
      {
        payment_intent: order.intentId,
        amount: order.amountCents,
        reason: 'requested_by_customer',
        metadata: { refund_id: order.requestId, payment_id: order.paymentId },
      },
      { idempotencyKey: `refund:${order.requestId}` },
    );
    return { ok: true, fact: readRefund(refundSchema.parse(made)) };
  } catch (error) {
    // Such as a payment that was refunded or disputed meanwhile: repeating the request changes nothing.
    const isAnswer = error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409;
    if (!isAnswer) throw error;
    return { ok: false, failure: error.message };
  }
}
