import type { Payment } from '@tollgate/db/queries/payments/payments';
import { createStripeProvider } from '../payments/stripe-provider.ts';
import { createTestConsole, type TestConsole } from './console-fixture.ts';
import type { FakeBuyer } from './fake-stripe/fake-taxes.ts';
import { startFakeStripe, type FakeStripe } from './fake-stripe/fake-stripe.ts';
import { signUpVerified, type SignedIn } from './people.ts';

export interface PaymentsSite extends AsyncDisposable {
  site: TestConsole;
  stripe: FakeStripe;
  /** Delivers an event, signed now unless another signature is given. @returns the HTTP status */
  deliver(event: { body: string }, signature?: string): Promise<number>;
  /** Tops up as a person does, up to the provider's page. @returns the session there */
  checkOut(person: SignedIn, amountUsd?: string, saveMethod?: boolean): Promise<string>;
  /** Pays on that page; sends no notification. */
  pay(sessionId: string, buyer?: FakeBuyer): ReturnType<FakeStripe['state']['pay']>;
  /** In nano-dollars. */
  getBalance(accountId: string): Promise<bigint>;
  getPayments(accountId: string): Promise<Payment[]>;
  /** The changes of the ledger by payments, in cents, oldest first: `top_up +2000`. */
  getLedger(accountId: string): Promise<string[]>;
  outcomes(): Promise<Record<string, number>>;
}

/** A console with payments through Stripe's package, from a fake Stripe server. */
export async function createPaymentsSite(): Promise<PaymentsSite> {
  const webhookSecret = 'whsec_of_the_tests';
  const stripe = await startFakeStripe(webhookSecret);
  const site = await createTestConsole({}, ({ clock, publicConsoleUrl }) =>
    createStripeProvider({
      secretKey: 'sk_test_of_the_tests',
      webhookSecret,
      publicConsoleUrl,
      apiUrl: stripe.url,
      nowSeconds: () => Math.floor(clock.nowMs() / 1000),
    }),
  );
  const { sql } = site.deps.db;
  return {
    site,
    stripe,
    async deliver({ body }, signature) {
      const request = new Request('http://127.0.0.1:3000/webhooks/stripe', {
        method: 'POST',
        body,
        headers: { 'stripe-signature': signature ?? (await stripe.sign(body, site.deps.clock.nowMs())) },
      });
      return (await site.fetch(request, '198.51.100.1')).status;
    },
    async checkOut({ visitor, accountId }, amountUsd = '20', saveMethod = false) {
      const { url } = await visitor.client.billing.topUp.mutate({ accountId, amountUsd, saveMethod });
      return url.split('/').at(-1) ?? '';
    },
    pay: (sessionId, buyer) => stripe.state.pay(sessionId, buyer),
    async getBalance(accountId) {
      const [row] = await sql<{ available: bigint }[]>`
        SELECT available_nano_usd AS available FROM balances WHERE account_id = ${accountId}`;
      return row?.available ?? 0n;
    },
    getPayments: async (accountId) => {
      const rows = await sql<Payment[]>`
        SELECT id, kind, state, failure, receipt_number AS "receiptNumber", method_last4 AS "methodLast4",
          payment_intent_id AS "paymentIntentId"
        FROM payments WHERE account_id = ${accountId} ORDER BY id`;
      return [...rows];
    },
    async getLedger(accountId) {
      const rows = await sql<{ line: string }[]>`
        SELECT kind || ' ' || CASE WHEN credit = 'wallet' THEN '+' ELSE '-' END || amount_nano_usd / 10000000 AS line
        FROM ledger_entries WHERE account_id = ${accountId} AND payment_id IS NOT NULL ORDER BY at, id`;
      return rows.map((row) => row.line);
    },
    async outcomes() {
      const rows = await sql<{ name: string; count: bigint }[]>`
        SELECT concat_ws(' ', outcome, reason) AS name, count(*) FROM payment_events GROUP BY 1`;
      return Object.fromEntries(rows.map((row) => [row.name, Number(row.count)]));
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await stripe[Symbol.asyncDispose]();
    },
  };
}

/** Someone who paid $20. */
export async function createPayer(payments: PaymentsSite) {
  const person = await signUpVerified(payments.site);
  const { session, intent } = payments.pay(await payments.checkOut(person));
  await payments.deliver(payments.stripe.event('checkout.session.completed', session));
  const [payment] = await payments.getPayments(person.accountId);
  return { ...person, intent, paymentId: payment?.id ?? '' };
}

/** Someone whose method is saved: they have paid once and let it be kept. */
export async function createSavedPayer(payments: PaymentsSite): Promise<SignedIn> {
  const person = await signUpVerified(payments.site);
  const { intent } = payments.pay(await payments.checkOut(person, '20', true));
  await payments.deliver(payments.stripe.event('payment_intent.succeeded', intent));
  return person;
}
