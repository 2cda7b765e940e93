import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentsSite, type PaymentsSite } from '../testing/payments-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

describe('operator.payments', () => {
  let on: PaymentsSite;
  let operator: SignedIn;
  beforeAll(async () => {
    on = await createPaymentsSite();
    operator = await signUpOperator(on.site);
  });
  afterAll(() => on[Symbol.asyncDispose]());
  const client = () => operator.visitor.client.operator.payments;

  it('is restricted to operators', async () => {
    const stranger = (await signUpVerified(on.site)).visitor.client.operator.payments;
    const refusals = await Promise.all([
      getRefusal(stranger.list.query({})),
      getRefusal(stranger.events.query({})),
      getRefusal(stranger.replay.mutate({ eventId: 'evt_1' })),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  });

  it('lists the payments and webhook events of all accounts', async () => {
    const person = await signUpVerified(on.site);
    const { session } = on.pay(await on.checkOut(person));
    await on.deliver(on.stripe.event('checkout.session.completed', session));
    const { payments } = await client().list.query({ state: 'paid' });
    const payment = payments.find(({ accountId }) => accountId === person.accountId);
    expect(payment).toMatchObject({ accountName: person.email, amountNanoUsd: '20000000000' });
    const { events } = await client().events.query({ outcome: 'applied' });
    expect(events.find(({ paymentId }) => paymentId === payment?.id)).toMatchObject({
      type: 'checkout.session.completed',
      canReplay: true,
    });
  });

  it('credits a refused event once when it is replayed, however often', async () => {
    const person = await signUpVerified(on.site);
    const { session } = on.pay(await on.checkOut(person));
    const event = on.stripe.event('checkout.session.completed', session);
    const { sql } = on.site.deps.db;
    // As if the payment had been of another sum when the event came.
    await sql`UPDATE payments SET amount_cents = 2100 WHERE account_id = ${person.accountId}`;
    await on.deliver(event);
    const { events } = await client().events.query({ outcome: 'refused' });
    const eventId = events[0]?.id ?? '';
    expect(events[0]?.reason).toBe('wrong_amount');
    await sql`UPDATE payments SET amount_cents = 2000 WHERE account_id = ${person.accountId}`;
    const before = await on.getBalance(person.accountId);
    const first = await client().replay.mutate({ eventId });
    const again = await Promise.all([1, 2, 3].map(() => client().replay.mutate({ eventId })));
    expect([first.outcome, ...again.map(({ outcome }) => outcome)]).toEqual([
      'applied',
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
    expect((await on.getBalance(person.accountId)) - before).toBe(20_000_000_000n);
    expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000']);
    expect((await verifyLedger(on.site.deps.db, { recompute: null })).findings).toEqual([]);
  });

  it('shows one payment with its events in order, ledger entries, refunds and receipt', async () => {
    const person = await signUpVerified(on.site);
    const { session, intent } = on.pay(await on.checkOut(person));
    await on.deliver(on.stripe.event('checkout.session.completed', session));
    await on.deliver(on.stripe.event('payment_intent.succeeded', intent));
    const refund = on.stripe.state.refund(intent.id, 500);
    await on.deliver(on.stripe.event('refund.created', refund));
    const search = person.accountId;
    const [listed] = (await client().list.query({ search })).payments;
    const paymentId = listed?.id ?? '';
    const payment = await client().get.query({ paymentId });
    expect(payment).toMatchObject({
      ...listed,
      state: 'refunded_part',
      createdByEmail: person.email,
      payerEmail: person.email,
      paymentIntentId: intent.id,
      method: { brand: 'visa' },
      reversals: [{ kind: 'refund', state: 'open', amountNanoUsd: '5000000000', takenNanoUsd: '5000000000' }],
    });
    expect(payment.entries.map(({ kind, changeNanoUsd }) => [kind, changeNanoUsd])).toEqual([
      ['top_up', '20000000000'],
      ['refund', '-5000000000'],
    ]);
    const sent: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await client().getEvents.query({ paymentId, limit: 1, cursor });
      sent.push(...page.events.map(({ type, outcome }) => `${type} ${outcome}`));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(sent).toEqual([
      'checkout.session.completed applied',
      'payment_intent.succeeded unchanged',
      'refund.created applied',
    ]);
    expect((await client().events.query({ search: person.email.toUpperCase() })).events).toHaveLength(3);
    const stranger = await signUpVerified(on.site);
    const receipt = `/receipts/${paymentId}`;
    expect((await operator.visitor.get(receipt)).status).toBe(200);
    expect((await stranger.visitor.get(receipt)).status).toBe(404);
    expect((await getRefusal(client().get.query({ paymentId: 'pay_none' }))).code).toBe('NOT_FOUND');
  });

  it('replays nothing that it does not know or that concerns no payment', async () => {
    expect((await getRefusal(client().replay.mutate({ eventId: 'evt_none' }))).code).toBe('NOT_FOUND');
    await on.site.deps.db.sql`
      INSERT INTO payment_events (id, type, created_at, outcome) VALUES ('evt_other', 'x', now(), 'ignored')`;
    expect((await getRefusal(client().replay.mutate({ eventId: 'evt_other' }))).code).toBe('BAD_REQUEST');
  });

  it('pages through events without gaps', async () => {
    const all = (await client().events.query({ limit: 100 })).events.map(({ id }) => id);
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await client().events.query({ limit: 1, cursor });
      paged.push(...page.events.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(paged).toEqual(all);
    expect(all.length).toBeGreaterThan(2);
  });
});
