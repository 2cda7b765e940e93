import { randomUUID } from 'node:crypto';
import type { Payment } from '@tollgate/db/queries/payments/payments';
import { getTestNames } from './test-provider.ts';

/** What can be pressed on the test payment page. */
export const TEST_ACTIONS = ['pay', 'decline', 'refund'] as const;
export type TestAction = (typeof TEST_ACTIONS)[number];

interface StripeShapedEvent {
  id: string;
  object: 'event';
  type: string;
  /** Seconds since the Unix epoch. */
  created: number;
  livemode: false;
  data: { object: Record<string, unknown> };
}

/** The events that Stripe would send for the pressed button, in its format. */
export function makeTestEvents(payment: Payment, action: TestAction, nowMs: number): StripeShapedEvent[] {
  const make = (type: string, object: Record<string, unknown>): StripeShapedEvent => ({
    id: `evt_test_${randomUUID()}`,
    object: 'event',
    type,
    created: Math.floor(nowMs / 1000),
    livemode: false,
    data: { object },
  });
  const intent = (changes: Record<string, unknown>) => ({ ...getIntent(payment), ...changes });
  const session = (changes: Record<string, unknown>) => ({ ...getSession(payment), ...changes });
  const paid = [
    make('payment_intent.succeeded', intent({ status: 'succeeded', amount_received: payment.amountCents })),
    make('checkout.session.completed', session({ payment_status: 'paid', status: 'complete' })),
  ];
  switch (action) {
    case 'pay':
      return paid;
    case 'refund':
      return [...paid, make('refund.created', getRefund(payment))];
    case 'decline': {
      const last_payment_error = { code: 'card_declined', message: 'The test card was declined' };
      const status = 'requires_payment_method';
      return [
        make('payment_intent.payment_failed', intent({ status, last_payment_error })),
        make('checkout.session.async_payment_failed', session({ payment_status: 'unpaid' })),
      ];
    }
  }
}

function getMetadata(payment: Payment): Record<string, string> {
  return { payment_id: payment.id, account_id: payment.accountId };
}

function getIntent(payment: Payment): Record<string, unknown> {
  return {
    id: getTestNames(payment.id).intentId,
    object: 'payment_intent',
    amount: payment.amountCents,
    amount_received: 0,
    currency: payment.currency,
    metadata: getMetadata(payment),
  };
}

function getSession(payment: Payment): Record<string, unknown> {
  const { sessionId, intentId } = getTestNames(payment.id);
  return {
    id: sessionId,
    object: 'checkout.session',
    mode: 'payment',
    amount_total: payment.amountCents,
    currency: payment.currency,
    payment_intent: intentId,
    metadata: getMetadata(payment),
  };
}

function getRefund(payment: Payment): Record<string, unknown> {
  return {
    id: `re_test_${payment.id}`,
    object: 'refund',
    amount: payment.amountCents,
    currency: payment.currency,
    payment_intent: getTestNames(payment.id).intentId,
    status: 'succeeded',
  };
}
