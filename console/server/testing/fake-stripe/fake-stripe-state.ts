import { randomBytes } from 'node:crypto';
import {
  BERLIN,
  calculateTaxes,
  determineTaxes,
  type FakeBuyer,
  type FakeCalculation,
  type FakeTax,
} from './fake-taxes.ts';

export interface FakeSession {
  id: string;
  object: 'checkout.session';
  url: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  amount_subtotal: number;
  amount_total: number;
  /** Expanded by a look-up that asks for the breakdown. */
  total_details: { amount_tax: number; breakdown?: { taxes: FakeTax[] } };
  automatic_tax: { enabled: boolean };
  customer_details: FakeBuyer | null;
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
  /** Of the taxes in the amount. */
  calculation: string | null;
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
  /** Addresses of customers, which sessions stored. */
  readonly buyers = new Map<string, FakeBuyer>();
  readonly calculations = new Map<string, FakeCalculation>();
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
      amount_subtotal: sumLineItems(form),
      amount_total: sumLineItems(form),
      total_details: { amount_tax: 0 },
      automatic_tax: { enabled: form.get('automatic_tax[enabled]') === 'true' },
      customer_details: null,
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      customer: form.get('customer'),
      customer_email: form.get('customer_email'),
      payment_intent: null,
      metadata: readMetadata(form),
    };
    this.sessions.set(id, session);
    return session;
  }

  /** Someone pays on the page of a session, with the address that a page with automatic taxes asks for. */
  pay(sessionId: string, buyer = BERLIN): { session: FakeSession; intent: FakeIntent } {
    const session = this.sessions.get(sessionId);
    if (session === undefined) throw new Error(`There is no session ${sessionId}`);
    if (session.automatic_tax.enabled) {
      const breakdown = determineTaxes(session.amount_subtotal, buyer);
      const amount_tax = breakdown.taxes.reduce((sum, { amount }) => sum + amount, 0);
      session.total_details = { amount_tax, breakdown };
      session.amount_total = session.amount_subtotal + amount_tax;
      session.customer_details = buyer;
      if (session.customer !== null) this.buyers.set(session.customer, buyer);
    }
    const intent = this.#addIntent({
      calculation: null,
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
      calculation: form.get('hooks[inputs][tax][calculation]'),
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

  /** https://docs.stripe.com/api/tax/calculations/create @returns null if the customer has no address */
  calculate(form: URLSearchParams): FakeCalculation | null {
    const buyer = this.buyers.get(form.get('customer') ?? '');
    if (buyer === undefined) return null;
    const made = calculateTaxes(newId('taxcalc'), Number(form.get('line_items[0][amount]')), buyer);
    this.calculations.set(made.id, made);
    return made;
  }

  addCustomer(form: URLSearchParams): { id: string; object: 'customer'; email: string } {
    const customer = { id: newId('cus'), object: 'customer' as const, email: form.get('email') ?? '' };
    this.customers.set(customer.id, customer);
    return customer;
  }

  #addIntent(
    made: Pick<
      FakeIntent,
      'amount' | 'calculation' | 'currency' | 'customer' | 'payment_method' | 'metadata'
    >,
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

function sumLineItems(form: URLSearchParams): number {
  return [...form]
    .filter(([name]) => /^line_items\[\d+\]\[price_data\]\[unit_amount\]$/.test(name))
    .reduce((sum, [, amount]) => sum + Number(amount), 0);
}

function readMetadata(form: URLSearchParams): Record<string, string> {
  const entries = [...form].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}
