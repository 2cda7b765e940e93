import type { Deps } from '../deps.ts';
import { describeError } from '../describe-error.ts';
import { applyEvent } from './apply-event.ts';
import { parseStripeEvent } from './parse-event.ts';
import type { PaymentProvider } from './provider.ts';
import { verifyEvent } from './verify-event.ts';

/** 200: dealt with, or none of our business. 400: not from the provider. 500: send it again. */
export type WebhookStatus = 200 | 400 | 500;

/**
 * Receives an event from the provider; the signature covers the exact bytes of the body.
 * @param signed.signature the header `stripe-signature`
 */
export async function receiveWebhook(
  deps: Deps,
  provider: PaymentProvider,
  signed: { body: string; signature: string | undefined },
): Promise<WebhookStatus> {
  const { clock, log } = deps;
  try {
    const verified = await verifyEvent(signed, provider.webhookSecret, clock.nowMs());
    if (verified === null) {
      log.warn('a payment event has no valid signature');
      return 400;
    }
    await applyEvent(deps, provider, parseStripeEvent(verified.event));
    return 200;
  } catch (error) {
    log.error({ error: describeError(error) }, 'a payment event could not be processed');
    return 500;
  }
}
