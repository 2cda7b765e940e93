import type { Clock } from '@tollgate/core/runtime/clock';
import type { ReportedTaxes } from '@tollgate/db/queries/payments/price-top-up';
import type { PaymentProvider } from './provider.ts';

const INTENT_PREFIX = 'pi_test_';
const CHECKOUT_LIFE_MS = 3_600_000;
const METHOD = { customerId: 'cus_test', methodId: 'pm_test', brand: 'test', last4: '4242' };

/** By which names the test provider knows a payment: it keeps nothing, so they follow from the payment's id. */
export function getTestNames(paymentId: string): { sessionId: string; intentId: string } {
  return { sessionId: `cs_test_${paymentId}`, intentId: INTENT_PREFIX + paymentId };
}

/**
 * Payments that move no money, for a local installation: a page of the console replaces Stripe's checkout, and its
 * buttons send signed events the way Stripe does.
 */
export function createTestProvider(options: {
  webhookSecret: string;
  /** Without a slash at the end. */
  publicConsoleUrl: string;
  clock: Clock;
}): PaymentProvider {
  return {
    name: 'test',
    webhookSecret: options.webhookSecret,
    createCheckout: ({ paymentId }) =>
      Promise.resolve({
        sessionId: getTestNames(paymentId).sessionId,
        url: `${options.publicConsoleUrl}/dev/pay/${paymentId}`,
      }),
    createCustomer: () => Promise.resolve(METHOD.customerId),
    chargeSavedMethod: ({ paymentId, accountId, amountCents }) =>
      Promise.resolve({
        kind: 'paid',
        ref: { paymentId, accountId, sessionId: null, intentId: getTestNames(paymentId).intentId },
        amountCents,
        currency: 'usd',
      }),
    // It determines no taxes.
    readTaxes: ({ amountCents }) => Promise.resolve(withoutTaxes(amountCents)),
    calculateTaxes: ({ creditCents }) => Promise.resolve({ ok: true, taxes: withoutTaxes(creditCents) }),
    lookUp({ id: paymentId, accountId, createdAt }) {
      const isOver = createdAt.getTime() + CHECKOUT_LIFE_MS < options.clock.nowMs();
      const ref = { paymentId, accountId, sessionId: getTestNames(paymentId).sessionId, intentId: null };
      return Promise.resolve(isOver ? { kind: 'expired', ref } : null);
    },
    findPaymentId: (intentId) =>
      Promise.resolve(intentId.startsWith(INTENT_PREFIX) ? intentId.slice(INTENT_PREFIX.length) : null),
    listRefunds: () => Promise.resolve([]),
    refund: ({ requestId, paymentId, intentId, amountCents }) =>
      Promise.resolve({
        ok: true,
        fact: {
          kind: 'reversal',
          ref: { paymentId, accountId: null, sessionId: null, intentId },
          reversal: {
            id: `re_test_${requestId}`,
            kind: 'refund',
            amountCents,
            currency: 'usd',
            state: 'open',
            requestId,
          },
        },
      }),
    // It keeps nothing that it could forget.
    removeMethod: () => Promise.resolve(),
    removeCustomer: () => Promise.resolve(),
    describeMethod: () => Promise.resolve(METHOD),
  };
}

function withoutTaxes(amountCents: number): ReportedTaxes {
  return {
    amountCents,
    creditCents: amountCents,
    taxes: [],
    reverseCharge: false,
    customer: null,
    calculationId: null,
  };
}
