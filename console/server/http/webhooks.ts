import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Deps } from '../deps.ts';
import { receiveWebhook } from '../payments/receive-webhook.ts';
import type { PaymentProvider } from '../payments/provider.ts';
import type { AppEnv } from './app-env.ts';

/** Events with whole objects in them are some 10 kB. */
const MAX_BODY_BYTES = 512 * 1024;

/** Webhook of the payment provider. Only the signature authenticates an event. */
export function webhookRoutes(deps: Deps, provider: PaymentProvider) {
  return new Hono<AppEnv>().post(
    '/webhooks/stripe',
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.text('Too large\n', 413) }),
    async (c) => {
      const signed = { body: await c.req.text(), signature: c.req.header('stripe-signature') };
      const status = await receiveWebhook({ ...deps, log: c.var.log }, provider, signed);
      return c.json({ received: status === 200 }, status);
    },
  );
}
