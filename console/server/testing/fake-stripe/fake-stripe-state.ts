import { randomBytes } from 'node:crypto';

export interface FakeSession {
  id: string;
  object: 'checkout.session';
  url: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  amount_total: number;
  currency: string;
  customer: string | null;
  customer_email: string | null;
  payment_intent: string | null;
  metadata: Record<string, string>;
}

export interface FakeIntent {
  id: string;
  object: 'payment_intent';
  status: 'succeeded' | 'processing' | 'requires_payment_method' | 'canceled';
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  payment_method: string | null;
  last_payment_error: { code: string; message: string } | null;
  metadata: Record<string, string>;
}

export interface FakeRefund {
  id: string;
  object: 'refund';
  amount: number;
  currency: string;
  status: 'pending' | 'succeeded' | 'failed';
  payment_intent: string;
  metadata: Record<string, string>;
}

/** State of the fake Stripe, and actions of its customers and its dashboard. */
export class FakeStripeState {
  readonly sessions = new Map<string, FakeSession>();
  readonly intents = new Map<string, FakeIntent>();
  readonly refunds = new Map<string, FakeRefund>();
  readonly customers = new Map<string, { id: string; object: 'customer'; email: string }>();
  /** Saved methods that belong to no one any more. */
  readonly detached: string[] = [];
  /** Off-session charges that succeeded: there must never be one too many. */
  charges = 0;

  openSession(form: URLSearchParams): FakeSession {
    const id = newId('cs');
    const session: FakeSession = {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.example/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      customer: form.get('customer'),
      customer_email: form.get('customer_email'),
      payment_intent: null,
      metadata: readMetadata(form),
    };
    this.sessions.set(id, session);
    return session;
  }

  /** Someone pays on the page of a session. */
  pay(sessionId: string): { session: FakeSession; intent: FakeIntent } {
    const session = this.sessions.get(sessionId);
    if (session === undefined) throw new Error(`There is no session ${sessionId}`);
    const intent = this.#addIntent({
      amount: session.amount_total,
      currency: session.currency,
      customer: session.customer,
      payment_method: newId('pm'),
      metadata: session.metadata,
    });
    session.payment_intent = intent.id;
    session.status = 'complete';
    session.payment_status = 'paid';
    return { session, intent };
  }

  charge(form: URLSearchParams): FakeIntent {
    this.charges += 1;
    return this.#addIntent({
      amount: Number(form.get('amount')),
      currency: form.get('currency') ?? '',
      customer: form.get('customer'),
      payment_method: form.get('payment_method'),
      metadata: readMetadata(form),
    });
  }

  decline(form: URLSearchParams): FakeIntent {
    const intent = this.charge(form);
    this.charges -= 1;
    const last_payment_error = { code: 'card_declined', message: 'Your card was declined.' };
    Object.assign(intent, { status: 'requires_payment_method', amount_received: 0, last_payment_error });
    return intent;
  }

  refund(intentId: string, amount: number, metadata: Record<string, string> = {}): FakeRefund {
    const currency = this.intents.get(intentId)?.currency ?? 'usd';
    const refund: FakeRefund = {
      id: newId('re'),
      object: 'refund',
      amount,
      currency,
      status: 'succeeded',
      payment_intent: intentId,
      metadata,
    };
    this.refunds.set(refund.id, refund);
    return refund;
  }

  /** A refund by the API. @returns null if it is more than what is left of the intent */
  makeRefund(form: URLSearchParams): FakeRefund | null {
    const intentId = form.get('payment_intent') ?? '';
    const made = [...this.refunds.values()].filter(
      (refund) => refund.payment_intent === intentId && refund.status !== 'failed',
    );
    const left = made.reduce(
      (rest, { amount }) => rest - amount,
      this.intents.get(intentId)?.amount_received ?? 0,
    );
    const amount = Number(form.get('amount') ?? left);
    return amount > left ? null : this.refund(intentId, amount, readMetadata(form));
  }

  addCustomer(form: URLSearchParams): { id: string; object: 'customer'; email: string } {
    const customer = { id: newId('cus'), object: 'customer' as const, email: form.get('email') ?? '' };
    this.customers.set(customer.id, customer);
    return customer;
  }

  #addIntent(
    made: Pick<FakeIntent, 'amount' | 'currency' | 'customer' | 'payment_method' | 'metadata'>,
  ): FakeIntent {
    const intent: FakeIntent = {
      id: newId('pi'),
      object: 'payment_intent',
      status: 'succeeded',
      amount_received: made.amount,
      last_payment_error: null,
      ...made,
    };
    this.intents.set(intent.id, intent);
    return intent;
  }
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

function readMetadata(form: URLSearchParams): Record<string, string> {
  const entries = [...form].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}
