import { z } from 'zod';
import type { FactRef, PaymentEvent, PaymentFact, ReversalFact } from './payment-fact.ts';

/** Stripe puts either the id of an object or the object itself. */
const idSchema = z
  .union([z.string(), z.object({ id: z.string() }).transform((object) => object.id)])
  .nullish()
  .transform((id) => id ?? null);
const metadataSchema = z
  .object({ payment_id: z.string().optional(), account_id: z.string().optional() })
  .nullish()
  .transform((metadata) => ({
    paymentId: metadata?.payment_id ?? null,
    accountId: metadata?.account_id ?? null,
  }));
const centsSchema = z.int().min(0);
const currencySchema = z.string().transform((currency) => currency.toLowerCase());

/** https://docs.stripe.com/api/checkout/sessions/object */
export const sessionSchema = z.object({
  id: z.string(),
  status: z.string().nullish(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  amount_total: centsSchema.nullable(),
  currency: currencySchema.nullable(),
  payment_intent: idSchema,
  metadata: metadataSchema,
});

/** https://docs.stripe.com/api/payment_intents/object */
export const intentSchema = z.object({
  id: z.string(),
  status: z.string(),
  amount_received: centsSchema.nullish(),
  currency: currencySchema,
  last_payment_error: z.object({ message: z.string().nullish(), code: z.string().nullish() }).nullish(),
  metadata: metadataSchema,
});

/** https://docs.stripe.com/api/refunds/object */
export const refundSchema = z.object({
  id: z.string(),
  amount: centsSchema,
  currency: currencySchema,
  status: z.string().nullable(),
  payment_intent: idSchema,
  metadata: z
    .object({ refund_id: z.string().optional() })
    .nullish()
    .transform((metadata) => metadata?.refund_id ?? null),
});

/** https://docs.stripe.com/api/disputes/object */
const disputeSchema = z.object({
  id: z.string(),
  amount: centsSchema,
  currency: currencySchema,
  status: z.string(),
  payment_intent: idSchema,
});

const chargeSchema = z.object({ payment_intent: idSchema });

const eventSchema = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  /** Seconds since the Unix epoch. */
  created: z.int(),
  data: z.object({ object: z.unknown() }),
});

/**
 * Parses an event whose signature was checked. Its version of Stripe's API is set in the dashboard, so only fields
 * whose form has been stable for years are read.
 * @throws ZodError if an event of a known type has another shape
 */
export function parseStripeEvent(value: unknown): PaymentEvent {
  const { id, type, created, data } = eventSchema.parse(value);
  return { id, type, createdAt: new Date(created * 1000), fact: readFact(type, data.object) };
}

function readFact(type: string, object: unknown): PaymentFact | null {
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return readSession(type, sessionSchema.parse(object));
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return readIntent(intentSchema.parse(object), type);
    case 'charge.refunded':
      return {
        kind: 'refunds_changed',
        ref: getRef({ intentId: chargeSchema.parse(object).payment_intent }),
      };
    case 'charge.refund.updated':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return readRefund(refundSchema.parse(object));
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return readDispute(type, disputeSchema.parse(object));
    default:
      return null;
  }
}

function readSession(type: string, session: z.infer<typeof sessionSchema>): PaymentFact {
  const ref = getRef({ sessionId: session.id, intentId: session.payment_intent, ...session.metadata });
  if (type === 'checkout.session.expired') return { kind: 'expired', ref };
  if (type === 'checkout.session.async_payment_failed')
    return { kind: 'failed', ref, failure: null, isFinal: true };
  if (session.payment_status === 'unpaid') return { kind: 'processing', ref };
  return {
    kind: 'paid',
    ref,
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? '',
  };
}

/** State of a session that was looked up. @returns null if the page was not used yet */
export function readSessionState(session: z.infer<typeof sessionSchema>): PaymentFact | null {
  if (session.status === 'expired') return readSession('checkout.session.expired', session);
  return session.status === 'complete' ? readSession('checkout.session.completed', session) : null;
}

/** @param type of the event, which says more than the status: a failed intent waits for another method again */
export function readIntent(intent: z.infer<typeof intentSchema>, type: string | null): PaymentFact | null {
  const ref = getRef({ intentId: intent.id, ...intent.metadata });
  if (intent.status === 'succeeded')
    return { kind: 'paid', ref, amountCents: intent.amount_received ?? 0, currency: intent.currency };
  if (intent.status === 'processing') return { kind: 'processing', ref };
  const failure =
    intent.last_payment_error?.message ?? intent.last_payment_error?.code ?? 'The payment was declined';
  if (intent.status === 'canceled') return { kind: 'failed', ref, failure, isFinal: true };
  return type === 'payment_intent.payment_failed' ? { kind: 'failed', ref, failure, isFinal: false } : null;
}

export function readRefund(refund: z.infer<typeof refundSchema>): ReversalFact {
  const isReturned = refund.status === 'failed' || refund.status === 'canceled';
  return {
    kind: 'reversal',
    ref: getRef({ intentId: refund.payment_intent }),
    reversal: {
      id: refund.id,
      kind: 'refund',
      amountCents: refund.amount,
      currency: refund.currency,
      state: isReturned ? 'returned' : 'open',
      requestId: refund.metadata,
    },
  };
}

/** @returns null for an inquiry, which moves no money: its status starts with `warning_` */
function readDispute(type: string, dispute: z.infer<typeof disputeSchema>): PaymentFact | null {
  if (dispute.status.startsWith('warning_')) return null;
  const isReturned = dispute.status === 'won' || type === 'charge.dispute.funds_reinstated';
  return {
    kind: 'reversal',
    ref: getRef({ intentId: dispute.payment_intent }),
    reversal: {
      id: dispute.id,
      kind: 'dispute',
      amountCents: dispute.amount,
      currency: dispute.currency,
      state: isReturned ? 'returned' : 'open',
      requestId: null,
    },
  };
}

function getRef(names: Partial<FactRef>): FactRef {
  return { paymentId: null, sessionId: null, intentId: null, accountId: null, ...names };
}
