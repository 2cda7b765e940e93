/** Older signatures may be replayed: https://docs.stripe.com/webhooks#replay-attacks */
const TOLERANCE_SECONDS = 300;

/**
 * Checks that the provider signed an event, and when, with Stripe's own package.
 * @param signed.signature the header `stripe-signature`
 * @returns the event as it was sent; null if the signature is missing, wrong or stale
 */
export async function verifyEvent(
  signed: { body: string; signature: string | undefined },
  secret: string,
  nowMs: number,
): Promise<{ event: unknown } | null> {
  if (signed.signature === undefined) return null;
  // Loading takes 0.2 s, so it is loaded only for payments.
  const { default: Stripe } = await import('stripe');
  try {
    const event: unknown = await Stripe.webhooks.constructEventAsync(
      signed.body,
      signed.signature,
      secret,
      TOLERANCE_SECONDS,
      undefined,
      nowMs,
    );
    return { event };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    throw error;
  }
}

/** Signs an event as Stripe does. @returns the header `stripe-signature` */
export async function signEvent(body: string, secret: string, nowMs: number): Promise<string> {
  const { default: Stripe } = await import('stripe');
  return Stripe.webhooks.generateTestHeaderStringAsync({
    payload: body,
    secret,
    timestamp: Math.floor(nowMs / 1000),
  });
}
