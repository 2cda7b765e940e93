import { issueCorrection } from '@tollgate/db/queries/documents/issue-document';
import { createPayment, markPaymentPaid } from '@tollgate/db/queries/payments/payments';
import { billingDocuments } from '@tollgate/db/schema/documents';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentsSite, type PaymentsSite } from '../testing/payments-fixture.ts';
import { joinAs, signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';

const SLOW = { timeout: 120_000 };
const AT = new Date('2026-05-05T12:00:00Z');

describe('receipts and credit notes', () => {
  let on: PaymentsSite;
  let operator: SignedIn;
  beforeAll(async () => {
    on = await createPaymentsSite();
    operator = await signUpOperator(on.site);
  });
  afterAll(() => on[Symbol.asyncDispose]());

  const taxes = () => operator.visitor.client.operator.taxes;
  const issued = async (accountId: string) => {
    const rows = await on.site.deps.db.drizzle.select().from(billingDocuments);
    return rows.filter((row) => row.accountId === accountId).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };
  async function pay(person: SignedIn, amountUsd = '20') {
    const { session, intent } = on.pay(await on.checkOut(person, amountUsd));
    await on.deliver(on.stripe.event('checkout.session.completed', session));
    return intent.id;
  }
  async function payIn(tx: Connection, accountId: string, at: Date) {
    const payment = await createPayment(tx, {
      accountId,
      createdBy: null,
      kind: 'checkout',
      provider: 'test',
      amountCents: 1_000,
      savesMethod: false,
      payerEmail: 'a@example.com',
    });
    return markPaymentPaid(tx, payment.id, { at, issuer: null });
  }
  const payDirectly = async (accountId: string, at: Date) =>
    inTransaction(on.site.deps.db, async (tx) => payIn(tx, accountId, at));
  async function failToPay(accountId: string, at: Date): Promise<null> {
    const failed = inTransaction(on.site.deps.db, async (tx) => {
      await payIn(tx, accountId, at);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    return null;
  }
  const readPdf = async (person: SignedIn, path: string) => {
    const response = await person.visitor.get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
    return (await extractText(pdf, { mergePages: true })).text.replace(/\s+/g, ' ');
  };

  it('are numbered without gaps, also if payments are concurrent and some are rolled back', async () => {
    const { accountId } = await signUpVerified(on.site);
    const runs = Array.from({ length: 60 }, async (_, index) => {
      const at = new Date(index % 2 === 0 ? '2031-06-01T00:00:00Z' : '2032-06-01T00:00:00Z');
      return index % 3 === 0 ? failToPay(accountId, at) : payDirectly(accountId, at);
    });
    const numbers = (await Promise.all(runs)).flatMap((payment) => payment?.receiptNumber ?? []);
    for (const year of [2031, 2032]) {
      const mine = numbers.filter((number) => number.startsWith(`R-${year}-`)).toSorted();
      const expected = mine.map((_, index) => `R-${year}-${String(index + 1).padStart(6, '0')}`);
      expect(mine).toEqual(expected);
      expect(mine).toHaveLength(20);
    }
  });

  it('are never changed or deleted, except to erase a person', async () => {
    const { accountId } = await signUpVerified(on.site);
    await payDirectly(accountId, AT);
    const { sql } = on.site.deps.db;
    const refusal = /billing documents are never changed/;
    await expect(sql`UPDATE billing_documents SET amount_cents = 1`).rejects.toThrow(refusal);
    await expect(sql`UPDATE billing_documents SET payer_email = 'other@example.com'`).rejects.toThrow(
      refusal,
    );
    await expect(sql`DELETE FROM billing_documents`).rejects.toThrow(refusal);
    await expect(sql`TRUNCATE billing_documents`).rejects.toThrow(refusal);
    await sql`UPDATE billing_documents SET payer_email = 'user_1@deleted.invalid' WHERE account_id = ${accountId}`;
  });

  it(
    'have the customer and the taxes of their time, and credit notes those of their receipt',
    SLOW,
    async () => {
      await taxes().add.mutate({ name: 'VAT', percent: '19', country: 'DE', reverseCharge: false });
      await taxes().add.mutate({ name: 'Sales tax', percent: '8.875', country: null, reverseCharge: false });
      const person = await signUpVerified(on.site);
      const { accountId, visitor } = person;
      const details = {
        companyName: 'Müller & Söhne GmbH',
        address: 'Hafenstraße 1\n20359 Hamburg',
        country: 'DE',
        taxId: 'DE136695976',
      };
      await visitor.client.billingDetails.set.mutate({ accountId, details });
      const intent = await pay(person);
      await visitor.client.billingDetails.set.mutate({
        accountId,
        details: { ...details, companyName: 'Other', country: null, taxId: '' },
      });
      await on.deliver(on.stripe.event('refund.created', on.stripe.state.refund(intent, 500)));
      const dispute = { id: `dp_${accountId}`, amount: 1_500, currency: 'usd', payment_intent: intent };
      for (const status of ['needs_response', 'won'])
        await on.deliver(on.stripe.event('charge.dispute.updated', { ...dispute, status }));
      await pay(person, '10');
      const [receipt, note, disputed, returned, second] = await issued(accountId);
      expect(receipt).toMatchObject({ ...details, kind: 'receipt', amountCents: 2_000, netCents: 1_681 });
      expect(receipt?.taxes).toEqual([{ name: 'VAT', ratePpm: 190_000, amountCents: 319 }]);
      expect(note).toMatchObject({ ...details, kind: 'credit_note', amountCents: 500, netCents: 420 });
      expect(note?.taxes).toMatchObject([{ amountCents: 80 }]);
      expect(disputed).toMatchObject({ kind: 'credit_note', amountCents: 1_500, netCents: 1_261 });
      expect(returned).toMatchObject({ kind: 'receipt', amountCents: 1_500, netCents: 1_261 });
      expect([note?.correctsId, disputed?.correctsId, returned?.correctsId]).toEqual([
        receipt?.id,
        receipt?.id,
        disputed?.id,
      ]);
      expect(second).toMatchObject({ companyName: 'Other', netCents: 918 });
      expect(second?.taxes).toMatchObject([{ name: 'Sales tax', amountCents: 82 }]);
      const { payments } = await visitor.client.billing.payments.query({ accountId });
      expect(payments[1]?.corrections.map(({ number }) => number)).toEqual([
        note?.number,
        disputed?.number,
        returned?.number,
      ]);
      const text = await readPdf(person, `/receipts/${receipt?.paymentId}.pdf`);
      for (const part of [
        `Receipt ${receipt?.number}`,
        'Müller & Söhne GmbH Hafenstraße 1 20359 Hamburg Germany Tax ID DE136695976',
        'Net amount $16.81 USD VAT 19% $3.19 USD Amount paid $20.00 USD',
      ])
        expect(text).toContain(part);
      const creditNote = await readPdf(person, `/receipts/${note?.id}.pdf`);
      expect(creditNote).toContain(`Corrects: receipt ${receipt?.number}`);
      expect(creditNote).toContain('Net amount −$4.20 USD VAT 19% −$0.80 USD Amount credited −$5.00 USD');
      const page = await (await visitor.get(`/receipts/${receipt?.paymentId}`)).text();
      expect(page).toContain(`credit note ${note?.number}`);
      const month = new Date(on.site.deps.clock.nowMs()).toISOString().slice(0, 7);
      const statement = await visitor.client.statements.get.query({ accountId, month });
      expect(statement.taxes).toEqual([
        { name: 'VAT', ratePpm: 190_000, netCents: 1_261, amountCents: 239 },
        { name: 'Sales tax', ratePpm: 88_750, netCents: 918, amountCents: 82 },
      ]);
      on.site.deps.settings.receiptIssuer = 'Example Ltd, 1 Main Street';
      const { parties } = await visitor.client.statements.get.query({ accountId, month });
      const customer = ['Other', 'Hafenstraße 1', '20359 Hamburg'];
      expect(parties).toEqual([
        { heading: 'From', lines: ['Example Ltd, 1 Main Street'] },
        { heading: 'For', lines: customer },
      ]);
      const csv = await visitor.get(`/exports/statement.csv?accountId=${accountId}&month=${month}`);
      const lines = (await csv.text()).trimEnd().split('\r\n');
      expect(lines.slice(-4)).toEqual([
        ',tax,,,,,,,,,VAT 19%,12.61,2.39',
        ',tax,,,,,,,,,Sales tax 8.875%,9.18,0.82',
        ',issuer,,,,,,,,,"Example Ltd, 1 Main Street",,',
        `,customer,,,,,,,,,"${customer.join(', ')}",,`,
      ]);
      const path = `/statements/${month}.pdf?accountId=${accountId}`;
      const disposition = (await visitor.get(path)).headers.get('content-disposition');
      expect(disposition).toContain(`statement-${month}-not-final.pdf`);
      const pdf = await readPdf(person, path);
      expect(pdf).toContain('Model Requests Charged');
      expect(pdf).toContain('Top-ups $30.00');
      expect(pdf).toContain('Refunds −$5.00');
      expect(pdf).toContain('Balance so far $26.00');
      expect(pdf).toContain('VAT 19% $12.61 $2.39');
      expect(pdf).toContain(`Top-up · ${receipt?.number} $20.00`);
    },
  );

  it('charge no tax to businesses under the reverse charge', SLOW, async () => {
    await taxes().add.mutate({ name: 'VAT', percent: '20', country: 'FR', reverseCharge: true });
    const person = await signUpVerified(on.site);
    const { accountId, visitor } = person;
    const details = { companyName: 'A', address: '', country: 'FR', taxId: '' };
    await visitor.client.billingDetails.set.mutate({ accountId, details });
    await pay(person);
    await visitor.client.billingDetails.set.mutate({
      accountId,
      details: { ...details, taxId: 'FR40303265045' },
    });
    await pay(person);
    const [consumer, business] = await issued(accountId);
    expect(consumer).toMatchObject({ netCents: 1_667, reverseCharge: false });
    expect(business).toMatchObject({ netCents: 2_000, taxes: [], reverseCharge: true });
    expect(await readPdf(person, `/receipts/${business?.id}.pdf`)).toContain('Reverse charge');
  });

  it('give back exactly what was credited', async () => {
    const person = await signUpVerified(on.site);
    const { id } = await payDirectly(person.accountId, AT);
    const correct = async (cents: number, entryKey: string) =>
      inTransaction(on.site.deps.db, async (tx) =>
        issueCorrection(tx, { paymentId: id, cents, entryKey, reversalKey: `${entryKey}:`, at: AT }),
      );
    for (const [index, cents] of [333, 333, -100, 434].entries()) await correct(cents, `t:${index}`);
    const documents = await issued(person.accountId);
    const sign = { receipt: 1, credit_note: -1 };
    const sum = documents.reduce((total, { kind, netCents }) => total + sign[kind] * netCents, 0);
    const tax = documents.reduce(
      (total, document) =>
        total + sign[document.kind] * document.taxes.reduce((all, { amountCents }) => all + amountCents, 0),
      0,
    );
    expect([sum, tax]).toEqual([0, 0]);
  });

  it('do not block each other if payments are credited and corrected in any order', async () => {
    const { accountId } = await signUpVerified(on.site);
    const at = new Date('2033-01-01T00:00:00Z');
    const issueBoth = async (index: number) => {
      const { id } = await payDirectly(accountId, new Date('2034-01-01T00:00:00Z'));
      await inTransaction(on.site.deps.db, async (tx) => {
        const correct = async (cents: number, entryKey: string) =>
          issueCorrection(tx, { paymentId: id, cents, entryKey, reversalKey: 're:', at });
        if (index % 2 === 0) await payIn(tx, accountId, at);
        await correct(100, `re:${index}:1`);
        await correct(-100, `re:${index}:2`);
        if (index % 2 === 1) await payIn(tx, accountId, at);
      });
    };
    await Promise.all(Array.from({ length: 16 }, async (_, index) => issueBoth(index)));
    const numbers = (await issued(accountId))
      .map(({ number }) => number)
      .filter((text) => text.includes('2033'));
    const list = (prefix: string) => numbers.filter((number) => number.startsWith(prefix)).toSorted();
    expect([list('R').at(-1), list('C').at(-1)]).toEqual(['R-2033-000032', 'C-2033-000016']);
    expect(new Set(numbers).size).toBe(48);
  });

  it('are for members of the account and operators', SLOW, async () => {
    const person = await signUpVerified(on.site);
    await pay(person);
    const [receipt] = await issued(person.accountId);
    const month = new Date().toISOString().slice(0, 7);
    const statement = `/statements/${month}.pdf?accountId=${person.accountId}`;
    const stranger = await signUpVerified(on.site);
    for (const path of [`/receipts/${receipt?.id}`, `/receipts/${receipt?.id}.pdf`, statement])
      expect((await stranger.visitor.get(path)).status).toBe(404);
    const viewer = await joinAs(on.site, 'viewer', person.accountId);
    for (const path of [`/receipts/${receipt?.id}`, `/receipts/${receipt?.id}.pdf`, statement])
      expect((await viewer.visitor.get(path)).status).toBe(200);
    expect((await operator.visitor.get(`/receipts/${receipt?.id}.pdf`)).status).toBe(200);
    expect((await on.site.visit().get(`/receipts/${receipt?.id}.pdf`)).status).toBe(302);
    expect((await person.visitor.get('/statements/2026-99.pdf')).status).toBe(404);
  });

  it('refuse details that are invalid, and record changes in the audit log', async () => {
    const person = await signUpVerified(on.site);
    const { accountId, visitor } = person;
    const details = { companyName: 'A', address: '', country: 'DE', taxId: 'DE136695976' };
    const set = async (change: object) =>
      visitor.client.billingDetails.set.mutate({ accountId, details: { ...details, ...change } });
    await expect(set({ taxId: 'DE136695975' })).rejects.toThrow(
      'This is not a tax ID of the chosen country.',
    );
    await expect(set({ country: null })).rejects.toThrow('Choose the country of the tax ID.');
    await expect(set({ country: 'XX' })).rejects.toThrow('Choose a country.');
    await expect(set({ companyName: 'A\nB' })).rejects.toThrow('Write the company name in one line.');
    expect(await set({})).toEqual(details);
    await set({});
    const { entries } = await visitor.client.audit.list.query({ accountId });
    expect(entries.filter(({ action }) => action === 'billing.details')).toHaveLength(1);
  });
});
