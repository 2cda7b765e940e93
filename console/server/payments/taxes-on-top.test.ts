import { findMonth } from '@tollgate/core/money/statement-month';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { billingDocuments } from '@tollgate/db/schema/documents';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentsSite, createSavedPayer, type PaymentsSite } from '../testing/payments-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { runAutoTopUps } from './run-auto-top-ups.ts';

const HOUR_MS = 3_600_000;
const GERMAN = { companyName: 'Acme GmbH', address: 'Weg 1', country: 'DE', taxId: '' };

describe('taxes on top of a top-up', () => {
  let on: PaymentsSite;
  let operator: SignedIn;
  beforeEach(async () => {
    on = await createPaymentsSite();
    operator = await signUpOperator(on.site);
    await taxes().setMode.mutate({ mode: 'on_top' });
    await taxes().add.mutate({ name: 'VAT', percent: '19', country: 'DE', reverseCharge: true });
  });
  afterEach(() => on[Symbol.asyncDispose]());

  const taxes = () => operator.visitor.client.operator.taxes;
  async function customer(details = GERMAN): Promise<SignedIn> {
    const person = await signUpVerified(on.site);
    await person.visitor.client.billingDetails.set.mutate({ accountId: person.accountId, details });
    return person;
  }
  async function pay(person: SignedIn, amountUsd = '20') {
    const { session, intent } = on.pay(await on.checkOut(person, amountUsd));
    await on.deliver(on.stripe.event('payment_intent.succeeded', intent));
    await on.deliver(on.stripe.event('checkout.session.completed', session));
    const [payment] = await on.getPayments(person.accountId);
    return { intent, paymentId: payment?.id ?? '' };
  }
  const refund = async (paymentId: string, amountUsd: string) =>
    operator.visitor.client.operator.payments.refund.mutate({
      paymentId,
      amountUsd,
      reason: 'r',
      requestId: crypto.randomUUID(),
    });
  const documents = async (accountId: string) => {
    const rows = await on.site.deps.db.drizzle.select().from(billingDocuments);
    return rows.filter((row) => row.accountId === accountId).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };
  const expectNoFindings = async () =>
    expect((await verifyLedger(on.site.deps.db, { recompute: null })).findings).toEqual([]);

  it('are shown before the payment, paid, and kept out of the balance', async () => {
    const person = await customer();
    const { accountId, visitor } = person;
    const billing = await visitor.client.billing.get.query({ accountId });
    expect(billing.taxes).toEqual({
      mode: 'on_top',
      rates: [{ name: 'VAT', ratePpm: 190_000 }],
      reverseCharge: false,
    });
    const before = await on.getBalance(accountId);
    const { paymentId } = await pay(person);
    expect([...on.stripe.state.sessions.values()].map(({ amount_total }) => amount_total)).toEqual([2_380]);
    expect((await on.getBalance(accountId)) - before).toBe(20_000_000_000n);
    expect(await on.getLedger(accountId)).toEqual(['top_up +2000']);
    const { payments } = await visitor.client.billing.payments.query({ accountId });
    expect(payments[0]).toMatchObject({ amountNanoUsd: '23800000000', creditNanoUsd: '20000000000' });
    const mail = await on.site.newestMailTo(person.email);
    expect(mail.text).toContain('$23.80, taxes included, was received. $20.00 was added to your balance.');
    const pdf = await visitor.get(`/receipts/${paymentId}.pdf`);
    const proxy = await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer()));
    const { text } = await extractText(proxy, { mergePages: true });
    expect(text.replace(/\s+/g, ' ')).toContain(
      'Prepaid credit $20.00 USD VAT 19% $3.80 USD Amount paid $23.80 USD',
    );
    const month = findMonth(new Date(on.site.deps.clock.nowMs()));
    const statement = await visitor.client.statements.get.query({ accountId, month });
    expect(statement.sums.top_up).toBe('20000000000');
    expect(statement.taxes).toEqual([{ name: 'VAT', ratePpm: 190_000, netCents: 2_000, amountCents: 380 }]);
    await expectNoFindings();
  });

  it('are refunded with their share, in whatever steps', async () => {
    const person = await customer();
    const { accountId } = person;
    const before = await on.getBalance(accountId);
    const { paymentId } = await pay(person);
    await refund(paymentId, '5');
    await refund(paymentId, '0.01');
    await refund(paymentId, '18.79');
    const [receipt, ...notes] = await documents(accountId);
    expect(receipt).toMatchObject({ ...GERMAN, amountCents: 2_380, netCents: 2_000 });
    expect(notes.map(({ amountCents, netCents }) => [amountCents, netCents])).toEqual([
      [500, 420],
      [1, 1],
      [1_879, 1_579],
    ]);
    expect(await on.getLedger(accountId)).toEqual([
      'top_up +2000',
      'refund -420',
      'refund -1',
      'refund -1579',
    ]);
    expect(await on.getBalance(accountId)).toBe(before);
    const mail = await on.site.newestMailTo(person.email);
    expect(mail.text).toContain('$18.79 of a payment was refunded. $15.79, the amount without taxes,');
    const corrections = notes.map(({ number }) => number);
    const money = { amount_usd: '23.80', credited_usd: '20.00', tax_usd: '3.80' };
    const row = { ...money, refunded_usd: '23.80', disputed_usd: '0.00', corrections };
    for (const [visitor, path] of [
      [person.visitor, `/exports/payments.json?accountId=${accountId}`],
      [operator.visitor, '/exports/installation-payments.json'],
    ] as const)
      expect(await (await visitor.get(path)).json()).toMatchObject([row]);
    const { entries } = await person.visitor.client.billing.entries.query({ accountId });
    const shown = await operator.visitor.client.operator.payments.get.query({ paymentId });
    const linked = notes.map(({ id, number }) => ({ id, kind: 'credit_note', number }));
    expect(shown.corrections).toEqual(linked);
    expect(entries.slice(0, 3).map(({ document }) => document)).toEqual(linked.toReversed());
    const from = new Date(Date.parse(entries[0]?.at ?? '') - HOUR_MS).toISOString();
    const to = new Date(Date.parse(from) + 2 * HOUR_MS).toISOString();
    const day = await person.visitor.client.billing.day.query({ accountId, from, to });
    expect(day.entries.slice(0, 3).map(({ document }) => document)).toEqual(linked.toReversed());
    await expectNoFindings();
  });

  it('may be all of a refund of a cent', async () => {
    await taxes().add.mutate({ name: 'Huge', percent: '100', country: 'AT', reverseCharge: false });
    const person = await customer({ ...GERMAN, country: 'AT' });
    const { paymentId } = await pay(person);
    for (let cents = 0; cents < 3; cents++) await refund(paymentId, '0.01');
    await refund(paymentId, '39.97');
    const ledger = await on.getLedger(person.accountId);
    expect(ledger).toEqual(['top_up +2000', 'refund -1', 'refund -1999']);
    expect((await documents(person.accountId)).map(({ netCents }) => netCents)).toEqual([
      2_000, 0, 1, 0, 1_999,
    ]);
    await expectNoFindings();
  });

  it('never exceed a refund of a cent, also if two taxes are equal', async () => {
    for (const name of ['CGST', 'SGST'])
      await taxes().add.mutate({ name, percent: '9', country: 'IN', reverseCharge: false });
    const person = await customer({ ...GERMAN, country: 'IN' });
    const before = await on.getBalance(person.accountId);
    const { paymentId } = await pay(person, '10');
    for (const amountUsd of ['0.06', '0.01', '11.73']) await refund(paymentId, amountUsd);
    const notes = (await documents(person.accountId)).slice(1);
    expect(notes.map(({ amountCents, netCents }) => [amountCents, netCents])).toEqual([
      [6, 5],
      [1, 1],
      [1_173, 994],
    ]);
    expect(await on.getBalance(person.accountId)).toBe(before);
    await expectNoFindings();
  });

  it('return with a dispute that is won', async () => {
    const person = await customer();
    const { intent } = await pay(person);
    const dispute = { id: 'dp_1', amount: 2_380, currency: 'usd', payment_intent: intent.id };
    for (const status of ['needs_response', 'won'])
      await on.deliver(on.stripe.event('charge.dispute.updated', { ...dispute, status }));
    const ledger = await on.getLedger(person.accountId);
    expect(ledger).toEqual(['top_up +2000', 'dispute -2000', 'dispute_won +2000']);
    await expectNoFindings();
  });

  it('stay as they were shown if rates, customer or mode change before the payment', async () => {
    const person = await customer();
    const { accountId, visitor } = person;
    const { session } = on.pay(await on.checkOut(person));
    const [rate] = (await taxes().list.query()).rates;
    await taxes().remove.mutate({ id: rate?.id ?? '' });
    await taxes().setMode.mutate({ mode: 'included' });
    await visitor.client.billingDetails.set.mutate({ accountId, details: { ...GERMAN, country: 'FR' } });
    await on.deliver(on.stripe.event('checkout.session.completed', session));
    const [receipt] = await documents(accountId);
    expect(receipt).toMatchObject({ country: 'DE', netCents: 2_000, taxes: [{ amountCents: 380 }] });
    expect(await on.getLedger(accountId)).toEqual(['top_up +2000']);
  });

  it('are not added for customers who owe them', async () => {
    const person = await customer({ ...GERMAN, taxId: 'DE136695976' });
    const { accountId, visitor } = person;
    const billing = await visitor.client.billing.get.query({ accountId });
    expect(billing.taxes).toMatchObject({ rates: [], reverseCharge: true });
    await pay(person);
    const [receipt] = await documents(accountId);
    expect(receipt).toMatchObject({ amountCents: 2_000, netCents: 2_000, taxes: [], reverseCharge: true });
  });

  it('are part of automatic top-ups and of their monthly maximum', async () => {
    const person = await createSavedPayer(on);
    const { accountId, visitor } = person;
    await visitor.client.billingDetails.set.mutate({ accountId, details: GERMAN });
    const set = async (monthlyMaxUsd: string) =>
      visitor.client.billing.setAutoTopUp.mutate({
        accountId,
        enabled: true,
        thresholdUsd: '5',
        amountUsd: '10',
        monthlyMaxUsd,
      });
    await expect(set('11')).rejects.toThrow('Enter at least $11.90, which one top-up costs.');
    // A third charge would fit without its tax.
    await set('34');
    for (let round = 0; round < 4; round++) {
      await on.site.deps.db.sql`UPDATE balances SET available_nano_usd = 0 WHERE account_id = ${accountId}`;
      on.site.advance(61_000);
      await runAutoTopUps(on.site.deps);
    }
    const { autoTopUp } = await visitor.client.billing.get.query({ accountId });
    expect(autoTopUp).toMatchObject({ chargeUsd: '11.90', chargedThisMonthUsd: '23.80' });
    expect(autoTopUp?.pausedUntil).not.toBeNull();
    expect(await on.getLedger(accountId)).toEqual(['top_up +2000', 'top_up +1000', 'top_up +1000']);
    const subjects = (await on.site.mailsTo(person.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes('monthly maximum'))).toHaveLength(1);
  });
});
