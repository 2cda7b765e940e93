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
    const rejection = order.isRepeated ? null : describeRejection(error);
    if (rejection !== null) return { ok: false, failure: rejection };
    // Such as a payment that was refunded or disputed meanwhile: repeating the request changes nothing.
    const isAnswer = error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409;
    if (!isAnswer) throw error;
    return { ok: false, failure: error.message };
  }
}

/** Why Stripe rejected the API key, in own words: Stripe's contain a part of the key. @returns null if it did not */
function describeRejection(error: unknown): string | null {
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return 'Stripe does not accept the API key. Check STRIPE_SECRET_KEY.';
  if (error instanceof Stripe.errors.StripePermissionError)
    return 'The API key may not make refunds. Allow it to write refunds in Stripe.';
  return null;
}
