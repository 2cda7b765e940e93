import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentsSite, createSavedPayer, type PaymentsSite } from '../testing/payments-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';
import { lookUpPayments } from './look-up-payments.ts';
import { runAutoTopUps } from './run-auto-top-ups.ts';

const HOUR_MS = 3_600_000;
const WORKERS = 8;

describe('automatic top-ups', () => {
  let on: PaymentsSite;
  let person: SignedIn;
  beforeEach(async () => {
    on = await createPaymentsSite();
    person = await createSavedPayer(on);
    await person.visitor.client.billing.setAutoTopUp.mutate({
      accountId: person.accountId,
      enabled: true,
      thresholdUsd: '5',
      amountUsd: '10',
      monthlyMaxUsd: null,
    });
  });
  afterEach(() => on[Symbol.asyncDispose]());

  const setBalance = async (cents: number) =>
    on.site.deps.db.sql`
      UPDATE balances SET available_nano_usd = ${cents} * 10000000::bigint WHERE account_id = ${person.accountId}`;
  const run = () => runAutoTopUps(on.site.deps);
  const settings = () => person.visitor.client.billing.get.query({ accountId: person.accountId });
  const auto = async () => (await on.getPayments(person.accountId)).filter(({ kind }) => kind === 'auto');

  it('charges once where many look at the same time, credits once though the events come too', async () => {
    await setBalance(499);
    await Promise.all(Array.from({ length: WORKERS }, run));
    expect(on.stripe.state.charges).toBe(1);
    expect(await on.getBalance(person.accountId)).toBe(14_990_000_000n);
    for (const intent of on.stripe.state.intents.values())
      await on.deliver(on.stripe.event('payment_intent.succeeded', intent));
    expect(await on.getBalance(person.accountId)).toBe(14_990_000_000n);
    expect(await auto()).toMatchObject([{ state: 'paid', receiptNumber: expect.stringMatching(/^R-/) }]);
    const mail = await on.site.newestMailTo(person.email);
    expect(mail.text).toContain('The automatic top-up of $10.00 was received');
    process.stdout.write(
      `  ${WORKERS} workers, 1 account due: ${on.stripe.state.charges} charge, 1 credit\n`,
    );
  });

  it('does nothing at the threshold or above it, and nothing twice within a minute', async () => {
    await setBalance(500);
    await run();
    expect(on.stripe.state.charges).toBe(0);
    await setBalance(0);
    await run();
    await setBalance(0);
    await run();
    expect(on.stripe.state.charges).toBe(1);
    on.site.advance(61_000);
    await run();
    expect(on.stripe.state.charges).toBe(2);
  });

  it('charges no account that is suspended, turned it off, or is not prepaid', async () => {
    await setBalance(0);
    const { sql } = on.site.deps.db;
    await sql`UPDATE accounts SET suspended_at = now()`;
    await run();
    await sql`UPDATE accounts SET suspended_at = NULL, plan_id = 'internal'`;
    await run();
    await sql`UPDATE accounts SET plan_id = 'standard'`;
    const off = {
      accountId: person.accountId,
      enabled: false,
      thresholdUsd: '5',
      amountUsd: '10',
      monthlyMaxUsd: null,
    };
    await person.visitor.client.billing.setAutoTopUp.mutate(off);
    await run();
    expect(on.stripe.state.charges).toBe(0);
  });

  it('waits longer after each failure, and is switched off by the third, with an email', async () => {
    await setBalance(0);
    const waits = [HOUR_MS, 12 * HOUR_MS, 0];
    for (const [index, waitMs] of waits.entries()) {
      on.stripe.chargesMeet.push('decline');
      await run();
      const failed = (await auto()).at(-1);
      expect(failed).toMatchObject({ state: 'failed', failure: 'Your card was declined.' });
      // Stripe reports it too, which does not count as a second failure.
      const intent = on.stripe.state.intents.get(failed?.paymentIntentId ?? '');
      await on.deliver(on.stripe.event('payment_intent.payment_failed', intent ?? {}));
      on.site.advance(waitMs - 61_000);
      await run();
      expect(await auto()).toHaveLength(index + 1);
      on.site.advance(62_000);
    }
    expect(on.stripe.state.charges).toBe(0);
    expect((await settings()).autoTopUp).toMatchObject({ enabled: false });
    const mails = await on.site.mailsTo(person.email);
    const off = mails.filter((mail) => mail.subject === 'Automatic top-up was turned off');
    expect(off).toHaveLength(1);
    expect(off[0]?.text).toContain('Your card was declined.');
    on.site.advance(48 * HOUR_MS);
    await run();
    expect(await auto()).toHaveLength(3);
  });

  it('forgets failures when a payment goes through', async () => {
    for (let round = 0; round < 4; round++) {
      await setBalance(0);
      on.stripe.chargesMeet.push('decline');
      await run();
      on.site.advance(HOUR_MS + 1000);
      await run();
      on.site.advance(61_000);
    }
    expect(on.stripe.state.charges).toBe(4);
    expect((await settings()).autoTopUp).toMatchObject({ enabled: true });
  });

  it.each(['failure', 'lost_answer'] as const)(
    'charges once where Stripe meets it with a %s',
    async (trouble) => {
      await setBalance(0);
      // The package of Stripe asks again automatically: all of its tries meet the same.
      on.stripe.chargesMeet.push(trouble, 'failure', 'failure');
      await run();
      on.site.advance(60_000);
      await run();
      on.stripe.chargesMeet.length = 0;
      on.site.advance(4 * 60_000);
      await Promise.all(Array.from({ length: WORKERS }, run));
      expect(on.stripe.state.charges).toBe(1);
      expect(await auto()).toMatchObject([{ state: 'paid' }]);
      expect(await on.getBalance(person.accountId)).toBe(10_000_000_000n);
    },
  );

  it('asks no more after a day without an answer, since that could charge again', async () => {
    await setBalance(0);
    on.stripe.chargesMeet.push('failure', 'failure', 'failure');
    await run();
    on.stripe.chargesMeet.length = 0;
    on.site.advance(21 * HOUR_MS);
    await on.site.deps.db.sql`UPDATE auto_top_ups SET enabled = false`;
    await run();
    expect(on.stripe.state.charges).toBe(0);
    expect(await auto()).toMatchObject([{ state: 'failed' }]);
  });

  it.each([
    ['by an operator', true],
    ['in the dashboard of Stripe', false],
  ])('is turned off by a refund to below the threshold, made %s, and charges no card', async (_, isOurs) => {
    const { accountId, visitor, email } = person;
    await setBalance(2_400);
    const [payment] = await on.getPayments(accountId);
    const operator = await signUpOperator(on.site);
    const { payments } = operator.visitor.client.operator;
    const refund = async (cents: number) => {
      if (isOurs)
        return payments.refund.mutate({
          paymentId: payment?.id ?? '',
          amountUsd: (cents / 100).toFixed(2),
          reason: 'Wrong account',
          requestId: crypto.randomUUID(),
        });
      const made = on.stripe.state.refund(payment?.paymentIntentId ?? '', cents);
      return on.deliver(on.stripe.event('refund.created', made));
    };
    const shown = await payments.get.query({ paymentId: payment?.id ?? '' });
    expect(shown.autoTopUpBelowNanoUsd).toBe('5000000000');
    await refund(1_900);
    await run();
    expect(await settings()).toMatchObject({ availableNanoUsd: '5000000000', autoTopUp: { enabled: true } });
    expect((await on.site.newestMailTo(email)).text).not.toContain('Automatic top-up');
    await refund(1);
    await run();
    expect(on.stripe.state.charges).toBe(0);
    expect(await settings()).toMatchObject({ availableNanoUsd: '4990000000', autoTopUp: { enabled: false } });
    expect((await on.site.newestMailTo(email)).text).toContain(
      'Automatic top-up was turned off, because the balance is now below its threshold',
    );
    const { entries } = await visitor.client.audit.list.query({ accountId });
    const off = entries.filter(({ detail }) => detail['isAfterRefund'] === true);
    expect(off).toMatchObject([{ action: 'billing.auto_top_up', detail: { enabled: false } }]);
    const after = await payments.get.query({ paymentId: payment?.id ?? '' });
    expect(after.autoTopUpBelowNanoUsd).toBeNull();
  });

  it('needs a method that the person let be kept', async () => {
    const other = await signUpVerified(on.site);
    const { session } = on.pay(await on.checkOut(other, '20', false));
    await on.deliver(on.stripe.event('checkout.session.completed', session));
    const { accountId } = other;
    const terms = { accountId, enabled: true, thresholdUsd: '5', amountUsd: '10', monthlyMaxUsd: null };
    expect((await getRefusal(other.visitor.client.billing.setAutoTopUp.mutate(terms))).code).toBe(
      'BAD_REQUEST',
    );
    expect((await settings()).savedMethod).toEqual({ brand: 'visa', last4: '4242' });
  });

  it('credits a payment whose events never arrived, once where many look', async () => {
    const other = await signUpVerified(on.site);
    const before = await on.getBalance(other.accountId);
    on.pay(await on.checkOut(other));
    const look = () => lookUpPayments(on.site.deps);
    await look();
    expect(await on.getBalance(other.accountId)).toBe(before);
    on.site.advance(11 * 60_000);
    await Promise.all(Array.from({ length: WORKERS }, look));
    expect((await on.getBalance(other.accountId)) - before).toBe(20_000_000_000n);
    const asked = on.stripe.asked.filter((line) => line.startsWith('GET /v1/checkout'));
    expect(asked).toHaveLength(1);
  });
});
