import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { billingDocuments } from '@tollgate/db/schema/documents';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BERLIN } from '../testing/fake-stripe/fake-taxes.ts';
import { createPaymentsSite, createSavedPayer, type PaymentsSite } from '../testing/payments-fixture.ts';
import { PASSWORD, signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';
import { lookUpPayments } from './look-up-payments.ts';
import { runAutoTopUps } from './run-auto-top-ups.ts';

const PARIS = { ...BERLIN, address: { ...BERLIN.address, city: 'Paris', country: 'FR' } };
const COMPANY = { ...BERLIN, tax_ids: [{ type: 'eu_vat', value: 'DE136695976' }] };

describe('taxes by Stripe Tax', () => {
  let on: PaymentsSite;
  let operator: SignedIn;
  beforeEach(async () => {
    on = await createPaymentsSite();
    operator = await signUpOperator(on.site);
    await operator.visitor.client.operator.taxes.setMode.mutate({ mode: 'stripe' });
  });
  afterEach(() => on[Symbol.asyncDispose]());

  const documents = async (accountId: string) => {
    const rows = await on.site.deps.db.drizzle.select().from(billingDocuments);
    return rows.filter((row) => row.accountId === accountId).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };
  const expectNoFindings = async () =>
    expect((await verifyLedger(on.site.deps.db, { recompute: null })).findings).toEqual([]);
  async function checkOut() {
    const person = await signUpVerified(on.site);
    const before = await on.getBalance(person.accountId);
    const gained = async () => (await on.getBalance(person.accountId)) - before;
    return { ...person, gained, sessionId: await on.checkOut(person) };
  }

  it.each(['checkout.session.completed', 'payment_intent.succeeded'])(
    'are added on the payment page and stored as Stripe reports them, if %s comes first',
    async (first) => {
      const { accountId, gained, sessionId } = await checkOut();
      const { session, intent } = on.pay(sessionId);
      expect([session.automatic_tax, session.amount_total]).toEqual([{ enabled: true }, 2_380]);
      const events = [
        on.stripe.event('checkout.session.completed', session),
        on.stripe.event('payment_intent.succeeded', intent),
      ];
      if (first === 'payment_intent.succeeded') events.reverse();
      for (const event of events) expect(await on.deliver(event)).toBe(200);
      await Promise.all(events.map(async (event) => on.deliver(event)));
      expect(await gained()).toBe(20_000_000_000n);
      expect(await on.getLedger(accountId)).toEqual(['top_up +2000']);
      const issued = await documents(accountId);
      expect(issued).toHaveLength(1);
      expect(issued[0]).toMatchObject({
        companyName: 'Muster GmbH',
        address: 'Weg 1\n10115 Berlin',
        country: 'DE',
        amountCents: 2_380,
        netCents: 2_000,
        taxes: [{ name: 'VAT Germany', ratePpm: 190_000, amountCents: 380 }],
        reverseCharge: false,
      });
      await on.deliver(on.stripe.event('refund.created', on.stripe.state.refund(intent.id, 2_380)));
      expect(await gained()).toBe(0n);
      await expectNoFindings();
    },
  );

  it('are none in other countries, and owed by companies', async () => {
    const abroad = await checkOut();
    const paris = on.pay(abroad.sessionId, PARIS);
    await on.deliver(on.stripe.event('checkout.session.completed', paris.session));
    const [receipt] = await documents(abroad.accountId);
    expect(receipt).toMatchObject({ country: 'FR', amountCents: 2_000, taxes: [], reverseCharge: false });
    const company = await checkOut();
    const { session } = on.pay(company.sessionId, COMPANY);
    await on.deliver(on.stripe.event('checkout.session.completed', session));
    const [owed] = await documents(company.accountId);
    expect(owed).toMatchObject({ taxId: 'DE136695976', amountCents: 2_000, reverseCharge: true });
  });

  it('are also found without events', async () => {
    const { gained, sessionId } = await checkOut();
    on.pay(sessionId);
    on.site.advance(11 * 60_000);
    await lookUpPayments(on.site.deps);
    expect(await gained()).toBe(20_000_000_000n);
  });

  it('refuse a payment with another credit than was ordered', async () => {
    const { gained, sessionId } = await checkOut();
    const { session } = on.pay(sessionId);
    session.amount_subtotal = 1_000;
    await on.deliver(on.stripe.event('checkout.session.completed', session));
    expect(await on.outcomes()).toMatchObject({ 'refused wrong_taxes': 1 });
    expect(await gained()).toBe(0n);
  });

  describe('of automatic top-ups', () => {
    const set = async (person: SignedIn, monthlyMaxUsd: string | null) =>
      person.visitor.client.billing.setAutoTopUp.mutate({
        accountId: person.accountId,
        enabled: true,
        thresholdUsd: '5',
        amountUsd: '10',
        monthlyMaxUsd,
      });
    const runDry = async ({ accountId }: SignedIn) => {
      await on.site.deps.db.sql`UPDATE balances SET available_nano_usd = 0 WHERE account_id = ${accountId}`;
      on.site.advance(61_000);
      await Promise.all(Array.from({ length: 4 }, async () => runAutoTopUps(on.site.deps)));
    };
    const charges = () =>
      [...on.stripe.state.intents.values()].filter(({ calculation }) => calculation !== null);

    it('are calculated before the charge, and reported with it', async () => {
      const person = await createSavedPayer(on);
      await set(person, null);
      // The process dies after Stripe has charged: the repeated charge has the same amount.
      on.stripe.chargesMeet.push('failure', 'failure', 'failure');
      await runDry(person);
      on.stripe.chargesMeet.length = 0;
      on.site.advance(4 * 60_000);
      await runAutoTopUps(on.site.deps);
      expect(charges()).toMatchObject([{ amount: 1_190 }]);
      expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000', 'top_up +1000']);
      const issued = await documents(person.accountId);
      expect(issued.at(-1)).toMatchObject({
        amountCents: 1_190,
        netCents: 1_000,
        country: 'DE',
        taxes: [{ name: 'VAT DE', ratePpm: 190_000, amountCents: 190 }],
      });
    });

    it('count for the monthly maximum', async () => {
      const person = await createSavedPayer(on);
      await set(person, '34');
      for (let round = 0; round < 4; round++) await runDry(person);
      expect(charges()).toHaveLength(2);
      const { autoTopUp } = await person.visitor.client.billing.get.query({ accountId: person.accountId });
      expect(autoTopUp).toMatchObject({ enabled: true, chargedThisMonthUsd: '23.80' });
      const subjects = (await on.site.mailsTo(person.email)).map(({ subject }) => subject);
      expect(subjects.filter((subject) => subject.includes('monthly maximum'))).toHaveLength(1);
    });

    it('fail for a customer whose address Stripe does not know', async () => {
      const person = await createSavedPayer(on);
      on.stripe.state.buyers.clear();
      await set(person, null);
      await runDry(person);
      expect(charges()).toEqual([]);
      const { autoTopUpTrouble } = await person.visitor.client.billing.get.query({
        accountId: person.accountId,
      });
      expect(autoTopUpTrouble?.failure).toBe(
        'Taxes need your billing address. Top up once and save the card again',
      );
    });

    it('are counted for operators while their cards were saved without an address', async () => {
      const { taxes } = operator.visitor.client.operator;
      const affected = async () => (await taxes.list.query()).autoTopUpsWithoutAddress;
      await taxes.setMode.mutate({ mode: 'included' });
      const person = await createSavedPayer(on);
      expect(await affected()).toBe(0);
      await set(person, null);
      expect(await affected()).toBe(1);
      await taxes.setMode.mutate({ mode: 'stripe' });
      await runDry(person);
      expect(charges()).toEqual([]);
      const { session } = on.pay(await on.checkOut(person, '20', true));
      await on.deliver(on.stripe.event('checkout.session.completed', session));
      expect(await affected()).toBe(0);
      on.site.advance(3_600_000);
      await runDry(person);
      expect(charges()).toMatchObject([{ amount: 1_190 }]);
    });
  });

  it('need payments through Stripe, and an operator', async () => {
    const person = await signUpVerified(on.site);
    const asMember = person.visitor.client.operator.taxes.setMode.mutate({ mode: 'included' });
    expect((await getRefusal(asMember)).code).toBe('FORBIDDEN');
    on.site.deps.payments = null;
    await operator.visitor.client.auth.signIn.mutate({ email: operator.email, password: PASSWORD });
    const { taxes } = operator.visitor.client.operator;
    expect((await taxes.list.query()).hasStripe).toBe(false);
    const refusal = await getRefusal(taxes.setMode.mutate({ mode: 'stripe' }));
    expect(refusal.message).toBe('Stripe Tax needs payments through Stripe.');
  });
});
