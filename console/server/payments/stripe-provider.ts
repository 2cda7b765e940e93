import { hash } from 'node:crypto';
import { formatRate } from '@tollgate/core/money/taxes';
import { Stripe } from 'stripe';
import {
  intentSchema,
  readIntent,
  readRefund,
  readSessionState,
  refundSchema,
  sessionSchema,
} from './parse-event.ts';
import type { PaymentFact } from './payment-fact.ts';
import { calculateTaxes, getTaxParams, readSessionTaxes } from './stripe-tax.ts';
import { refund } from './stripe-refund.ts';
import type { ChargeOrder, CheckoutOrder, MethodDetails, PaymentProvider } from './provider.ts';

const REQUEST_TIMEOUT_MS = 20_000;
/** The sessions of Checkout live between half an hour and a day. */
const CHECKOUT_LIFE_SECONDS = 3_600;
const MAX_REFUNDS = 100;

interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  /** Without a slash at the end. */
  publicConsoleUrl: string;
  /** Seconds since the Unix epoch. */
  nowSeconds: () => number;
  /** Base URL of Stripe; tests replace it. */
  apiUrl?: string;
}

/** Payments by Stripe: Checkout for people, off-session intents for automatic top-ups. */
export function createStripeProvider(options: StripeOptions): PaymentProvider {
  const stripe = new Stripe(options.secretKey, {
    maxNetworkRetries: 2,
    timeout: REQUEST_TIMEOUT_MS,
    telemetry: false,
    appInfo: { name: 'Tollgate' },
    ...(options.apiUrl !== undefined && getAddress(options.apiUrl)),
  });
  return {
    name: 'stripe',
    webhookSecret: options.webhookSecret,
    createCheckout: (order) => createCheckout(stripe, options, order),
    async createCustomer({ accountId, email }) {
      const hour = Math.floor(options.nowSeconds() / 3600);
      const customer = await stripe.customers.create(
        { email, metadata: { account_id: accountId } },
        // Stripe refuses a key that comes with something else than before, such as another person's address.
        // Changes every hour: an older key may return a customer that was deleted since.
        { idempotencyKey: `customer:${accountId}:${hash('sha256', email, 'hex').slice(0, 16)}:${hour}` },
      );
      return customer.id;
    },
    chargeSavedMethod: (order) => charge(stripe, order),
    readTaxes: ({ checkoutSessionId, paymentIntentId }, { sessionId, intentId }) =>
      readSessionTaxes(stripe, {
        sessionId: sessionId ?? checkoutSessionId,
        intentId: intentId ?? paymentIntentId,
      }),
    calculateTaxes: (order) => calculateTaxes(stripe, order),
    async lookUp({ paymentIntentId, checkoutSessionId }) {
      if (paymentIntentId !== null)
        return readIntent(intentSchema.parse(await stripe.paymentIntents.retrieve(paymentIntentId)), null);
      if (checkoutSessionId === null) return null;
      return readSessionState(
        sessionSchema.parse(await stripe.checkout.sessions.retrieve(checkoutSessionId)),
      );
    },
    async findPaymentId(intentId) {
      try {
        const intent = await stripe.paymentIntents.retrieve(intentId);
        return intent.metadata['payment_id'] ?? null;
      } catch (error) {
        if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return null;
        throw error;
      }
    },
    async listRefunds(intentId) {
      const page = await stripe.refunds.list({ payment_intent: intentId, limit: MAX_REFUNDS });
      return page.data.map((refund) => readRefund(refundSchema.parse(refund)));
    },
    refund: (order) => refund(stripe, order),
    removeMethod: (methodId) => unlessUnknown(() => stripe.paymentMethods.detach(methodId)),
    removeCustomer: (customerId) => unlessUnknown(() => stripe.customers.del(customerId)),
    describeMethod: (intentId) => describeMethod(stripe, intentId),
  };
}

/** Stripe rejects removing unknown objects and detaching unattached ones. */
async function unlessUnknown(remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    const isUnknown =
      error instanceof Stripe.errors.StripeInvalidRequestError &&
      (error.statusCode === 404 || error.statusCode === 400);
    if (!isUnknown) throw error;
  }
}

async function createCheckout(
  stripe: Stripe,
  { publicConsoleUrl, nowSeconds }: StripeOptions,
  order: CheckoutOrder,
): Promise<{ sessionId: string; url: string }> {
  // On the intent too, since its events, and the look-up for a refund, see nothing of the session.
  const metadata = { payment_id: order.paymentId, account_id: order.accountId };
  const page = `${publicConsoleUrl}/billing`;
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      client_reference_id: order.paymentId,
      metadata,
      line_items: [
        getLineItem('Prepaid credit', order.creditCents, order.hasProviderTaxes),
        ...order.taxes
          .filter(({ amountCents }) => amountCents > 0)
          .map(({ name, ratePpm, amountCents }) =>
            getLineItem(`${name} ${formatRate(ratePpm)}`, amountCents, false),
          ),
      ],
      // In dollars for everyone: the amount paid must be the amount credited.
      adaptive_pricing: { enabled: false },
      payment_intent_data: {
        metadata,
        description: 'Prepaid credit',
        ...(order.customerId !== null && { setup_future_usage: 'off_session' }),
      },
      ...(order.customerId === null ? { customer_email: order.payerEmail } : { customer: order.customerId }),
      ...(order.hasProviderTaxes && getTaxParams(order.customerId)),
      expires_at: nowSeconds() + CHECKOUT_LIFE_SECONDS,
      success_url: `${page}?payment=${order.paymentId}`,
      cancel_url: page,
    },
    { idempotencyKey: `checkout:${order.paymentId}` },
  );
  if (session.url === null) throw new Error('Stripe created a session without a URL');
  return { sessionId: session.id, url: session.url };
}

function getLineItem(name: string, amountCents: number, isTaxed: boolean) {
  return {
    quantity: 1,
    price_data: {
      currency: 'usd',
      unit_amount: amountCents,
      product_data: { name },
      ...(isTaxed && { tax_behavior: 'exclusive' as const }),
    },
  };
}

/** https://docs.stripe.com/payments/save-and-reuse#charge-saved-payment-method */
async function charge(stripe: Stripe, order: ChargeOrder): Promise<PaymentFact> {
  const ref = {
    paymentId: order.paymentId,
    accountId: order.accountId,
    sessionId: null,
    intentId: null,
  };
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: order.amountCents,
        currency: 'usd',
        customer: order.customerId,
        payment_method: order.methodId,
        off_session: true,
        confirm: true,
        description: 'Prepaid credit, automatic top-up',
        // Stripe Tax reports the taxes with the charge, and takes them back with refunds.
        ...(order.taxCalculationId !== null && {
          hooks: { inputs: { tax: { calculation: order.taxCalculationId } } },
        }),
        metadata: { payment_id: order.paymentId, account_id: order.accountId },
      },
      { idempotencyKey: `charge:${order.paymentId}` },
    );
    return (
      readIntent(intentSchema.parse(intent), null) ?? {
        kind: 'failed',
        ref: { ...ref, intentId: intent.id },
        failure: 'The bank requires confirmation by the cardholder',
        isFinal: true,
      }
    );
  } catch (error) {
    // A declined card or a missing payment method: repeating the request changes nothing.
    const isAnswer =
      error instanceof Stripe.errors.StripeCardError ||
      (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409);
    if (!isAnswer) throw error;
    const intentId = error.payment_intent?.id ?? null;
    return { kind: 'failed', ref: { ...ref, intentId }, failure: error.message, isFinal: true };
  }
}

async function describeMethod(stripe: Stripe, intentId: string): Promise<MethodDetails | null> {
  const intent = await stripe.paymentIntents.retrieve(intentId, { expand: ['payment_method'] });
  const { customer, payment_method: method } = intent;
  if (method === null || typeof method === 'string') return null;
  const customerId = typeof customer === 'string' ? customer : (customer?.id ?? null);
  const last4 = method.card?.last4 ?? method.us_bank_account?.last4 ?? method.sepa_debit?.last4 ?? '';
  return { customerId, methodId: method.id, brand: method.card?.brand ?? method.type, last4 };
}

function getAddress(apiUrl: string): { protocol: 'http' | 'https'; host: string; port: string } {
  const { protocol, hostname, port } = new URL(apiUrl);
  return { protocol: protocol === 'http:' ? 'http' : 'https', host: hostname, port };
}
