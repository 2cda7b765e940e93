import { createHmac } from 'node:crypto';
import type { Clock } from '@tollgate/core/runtime/clock';
import type { PaymentProvider } from './provider.ts';
import { createTestProvider } from './test-provider.ts';

/** How the environment wants people to pay. */
export type PaymentSettings =
  | { mode: 'stripe'; secretKey: string; webhookSecret: string }
  /** On the embedded database without Stripe: a page that moves no money. */
  | { mode: 'test' }
  | { mode: 'none' };

/** @returns null if payments are not set up */
export async function createPayments(
  settings: PaymentSettings,
  options: { encryptionKey: string; publicConsoleUrl: string; clock: Clock },
): Promise<PaymentProvider | null> {
  const { publicConsoleUrl, clock } = options;
  switch (settings.mode) {
    case 'none':
      return null;
    case 'test':
      return createTestProvider({
        webhookSecret: testWebhookSecret(options.encryptionKey),
        publicConsoleUrl,
        clock,
      });
    case 'stripe': {
      const { createStripeProvider } = await import('./stripe-provider.ts');
      return createStripeProvider({
        ...settings,
        publicConsoleUrl,
        nowSeconds: () => Math.floor(clock.nowMs() / 1000),
      });
    }
  }
}

/** Unique to this installation and stable across restarts: derived from the secret key. */
function testWebhookSecret(encryptionKey: string): string {
  const mac = createHmac('sha256', Buffer.from(encryptionKey, 'base64'));
  return `whsec_${mac.update('tollgate test payments').digest('hex')}`;
}
