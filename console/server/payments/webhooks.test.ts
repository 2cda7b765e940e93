import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentsSite, type PaymentsSite } from '../testing/payments-fixture.ts';
import { signUpVerified } from '../testing/people.ts';

/** Number of deliveries of each event. */
const REPEATS = Number(process.env['WEBHOOK_REPEATS'] ?? 25);
const SLOW = { timeout: 120_000 };

describe('the webhook of Stripe', () => {
  let on: PaymentsSite;
  beforeAll(async () => {
    on = await createPaymentsSite();
  });
  afterAll(() => on[Symbol.asyncDispose]());

  async function payer() {
    const person = await signUpVerified(on.site);
    const before = await on.getBalance(person.accountId);
    const sessionId = await on.checkOut(person);
    return {
      ...person,
      sessionId,
      gained: async () => (await on.getBalance(person.accountId)) - before,
      payments: () => on.getPayments(person.accountId),
      ledger: () => on.getLedger(person.accountId),
    };
  }
  const lines = (accountId: string) =>
    on.site.logLines.filter((line) => line.includes('payment event') && line.includes(accountId));

  it(`credits once if every event comes ${REPEATS} times, concurrently and shuffled`, SLOW, async () => {
    const person = await payer();
    const { session, intent } = on.pay(person.sessionId);
    const refund = on.stripe.state.refund(intent.id, 500);
    const dispute = {
      id: `dp_${person.accountId}`,
      object: 'dispute',
      amount: 300,
      currency: 'usd',
      status: 'needs_response',
      payment_intent: intent.id,
    };
    const events = [
      on.stripe.event('checkout.session.completed', session),
      on.stripe.event('checkout.session.async_payment_succeeded', session),
      on.stripe.event('payment_intent.succeeded', intent),
      on.stripe.event('payment_intent.payment_failed', { ...intent, status: 'requires_payment_method' }),
      on.stripe.event('payment_intent.processing', { ...intent, status: 'processing' }),
      on.stripe.event('checkout.session.expired', { ...session, status: 'expired' }),
      on.stripe.event('charge.refunded', { id: 'ch_1', object: 'charge', payment_intent: intent.id }),
      on.stripe.event('refund.created', { ...refund, status: 'pending' }),
      on.stripe.event('refund.updated', refund),
      on.stripe.event('charge.dispute.created', dispute),
      on.stripe.event('charge.dispute.funds_withdrawn', dispute),
      on.stripe.event('charge.dispute.closed', { ...dispute, status: 'won' }),
      on.stripe.event('charge.dispute.funds_reinstated', { ...dispute, status: 'won' }),
    ];
    const before = await on.outcomes();
    const startedMs = performance.now();
    const deliveries = shuffle(Array.from({ length: REPEATS }, () => events).flat());
    const statuses = await Promise.all(deliveries.map((event) => on.deliver(event)));
    const tookMs = Math.round(performance.now() - startedMs);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const ledger = await person.ledger();
    expect(ledger.filter((line) => line === 'top_up +2000')).toHaveLength(1);
    expect(ledger.filter((line) => line === 'refund -500')).toHaveLength(1);
    expect(ledger.filter((line) => line.startsWith('refund'))).toHaveLength(1);
    // Deducted and returned, or never deducted if the end arrived first.
    expect([[], ['dispute -300', 'dispute_won +300']]).toContainEqual(
      ledger.filter((line) => line.startsWith('dispute')),
    );
    expect(await person.gained()).toBe(15_000_000_000n);
    expect(await person.payments()).toMatchObject([{ state: 'refunded_part' }]);
    const receipts = (await on.site.mailsTo(person.email)).filter((mail) =>
      mail.subject.startsWith('Receipt'),
    );
    expect(receipts).toHaveLength(1);
    const after = await on.outcomes();
    const stored = sum(after) - sum(before);
    expect(stored).toBe(events.length);
    print(`${deliveries.length} deliveries of ${events.length} events in ${tookMs} ms`);
    print(`${stored} events stored, 1 receipt, ledger: ${ledger.join(', ')}`);
  });

  it('comes to the same in whatever order, 20 shuffles', SLOW, async () => {
    const person = await payer();
    for (let round = 1; round <= 20; round++) {
      const { session, intent } = on.pay(round === 1 ? person.sessionId : await on.checkOut(person));
      const refunds = [on.stripe.state.refund(intent.id, 700), on.stripe.state.refund(intent.id, 200)];
      const failed = { ...on.stripe.state.refund(intent.id, 100), status: 'failed' };
      for (const event of shuffle([
        on.stripe.event('checkout.session.completed', { ...session, payment_status: 'unpaid' }),
        on.stripe.event('checkout.session.async_payment_succeeded', session),
        on.stripe.event('payment_intent.succeeded', intent),
        ...refunds.map((refund) => on.stripe.event('refund.created', refund)),
        on.stripe.event('refund.created', { ...failed, status: 'pending' }),
        on.stripe.event('refund.failed', failed),
      ]))
        expect(await on.deliver(event)).toBe(200);
      expect(await person.gained()).toBe(11_000_000_000n * BigInt(round));
      expect((await person.payments()).at(-1)).toMatchObject({ state: 'refunded_part' });
    }
  });

  it('deducts a refund that arrived before its payment, once there is something to deduct', async () => {
    const person = await payer();
    const { session, intent } = on.pay(person.sessionId);
    const refund = on.stripe.state.refund(intent.id, 2000);
    expect(await on.deliver(on.stripe.event('refund.created', refund))).toBe(200);
    expect(await person.ledger()).toEqual([]);
    await on.deliver(on.stripe.event('checkout.session.completed', session));
    expect(await person.ledger()).toEqual(['top_up +2000', 'refund -2000']);
    expect(await person.payments()).toMatchObject([{ state: 'refunded' }]);
  });

  it('deducts a dispute, returns it when it is won, and never deducts more than was paid', async () => {
    const person = await payer();
    const { session, intent } = on.pay(person.sessionId);
    await on.deliver(on.stripe.event('checkout.session.completed', session));
    const refund = on.stripe.state.refund(intent.id, 1500);
    await on.deliver(on.stripe.event('charge.refunded', { id: 'ch', payment_intent: intent.id }));
    const dispute = { id: 'dp_1', amount: 2000, currency: 'usd', payment_intent: intent.id };
    const send = async (type: string, status: string) =>
      on.deliver(on.stripe.event(`charge.dispute.${type}`, { ...dispute, status }));
    await send('created', 'warning_needs_response');
    expect(await person.ledger()).toEqual(['top_up +2000', 'refund -1500']);
    await send('created', 'needs_response');
    expect(await person.ledger()).toEqual(['top_up +2000', 'refund -1500', 'dispute -500']);
    expect(await person.payments()).toMatchObject([{ state: 'disputed' }]);
    await send('closed', 'won');
    await send('updated', 'under_review');
    expect((await person.ledger()).at(-1)).toBe('dispute_won +500');
    expect(await person.payments()).toMatchObject([{ state: 'refunded_part' }]);
    await on.deliver(on.stripe.event('refund.failed', { ...refund, status: 'failed' }));
    expect(await person.payments()).toMatchObject([{ state: 'paid' }]);
    expect(await person.gained()).toBe(20_000_000_000n);
    const subjects = (await on.site.mailsTo(person.email)).map((mail) => mail.subject);
    expect(subjects.slice(0, 4)).toEqual([
      'A refund failed',
      'A dispute was resolved',
      'A payment was disputed',
      'A payment was refunded',
    ]);
  });

  it('keeps the deduction of a lost dispute, even if the balance becomes negative', async () => {
    const person = await payer();
    const { session, intent } = on.pay(person.sessionId);
    await on.deliver(on.stripe.event('checkout.session.completed', session));
    await on.site.deps.db
      .sql`UPDATE balances SET available_nano_usd = 0 WHERE account_id = ${person.accountId}`;
    const dispute = { id: 'dp_2', amount: 2000, currency: 'usd', payment_intent: intent.id };
    await on.deliver(on.stripe.event('charge.dispute.closed', { ...dispute, status: 'lost' }));
    await on.deliver(on.stripe.event('charge.dispute.created', { ...dispute, status: 'needs_response' }));
    expect(await on.getBalance(person.accountId)).toBe(-20_000_000_000n);
    expect(await person.payments()).toMatchObject([{ state: 'disputed' }]);
  });

  it('rejects forged, stale and modified events', async () => {
    const person = await payer();
    const { session } = on.pay(person.sessionId);
    const event = on.stripe.event('checkout.session.completed', session);
    const nowMs = on.site.deps.clock.nowMs();
    const good = await on.stripe.sign(event.body, nowMs);
    const stale = await on.stripe.sign(event.body, nowMs - 301_000);
    expect(await on.deliver(event, stale)).toBe(400);
    expect(await on.deliver(event, good.replace(/v1=\w{8}/, 'v1=00000000'))).toBe(400);
    expect(await on.deliver(event, '')).toBe(400);
    expect(await on.deliver(event, 't=1,v1=zz')).toBe(400);
    expect(await on.deliver({ body: event.body.replace('2000', '9999') }, good)).toBe(400);
    expect(await on.deliver({ body: `${event.body} ` }, good)).toBe(400);
    expect(await on.deliver({ body: JSON.stringify('x'.repeat(600_000)) }, good)).toBe(413);
    expect(await person.ledger()).toEqual([]);
    const unsigned = new Request('http://127.0.0.1:3000/webhooks/stripe', {
      method: 'POST',
      body: event.body,
    });
    expect((await on.site.fetch(unsigned, '198.51.100.1')).status).toBe(400);
    expect(await on.deliver(event, good)).toBe(200);
    expect(await person.ledger()).toEqual(['top_up +2000']);
  });

  it('credits only payments that match the request, and reports the reason', async () => {
    const person = await payer();
    const { session, intent } = on.pay(person.sessionId);
    const [payment] = await person.payments();
    const paymentId = payment?.id ?? '';
    const other = await payer();
    const [otherPayment] = await other.payments();
    const metadata = { payment_id: paymentId, account_id: person.accountId };
    const fakes: [string, object][] = [
      ['wrong_currency', { ...session, currency: 'eur' }],
      ['wrong_currency', { ...session, currency: null }],
      ['wrong_amount', { ...session, amount_total: 1999 }],
      ['wrong_amount', { ...session, amount_total: 200_000 }],
      ['wrong_amount', { ...session, amount_total: 0, payment_status: 'no_payment_required' }],
      ['wrong_account', { ...session, metadata: { ...metadata, account_id: other.accountId } }],
      ['wrong_account', { ...session, metadata: { payment_id: paymentId } }],
      ['wrong_account', { ...session, metadata: { ...metadata, payment_id: otherPayment?.id } }],
      ['other_session', { ...session, id: 'cs_of_another' }],
      ['unknown_payment', { ...session, id: 'cs_x', metadata: { ...metadata, payment_id: 'pay_none' } }],
      ['unknown_payment', { ...session, id: 'cs_y', payment_intent: 'pi_y', metadata: {} }],
    ];
    const reasons: Record<string, number> = {};
    for (const [reason, object] of fakes) {
      const before = await on.outcomes();
      expect(await on.deliver(on.stripe.event('checkout.session.completed', object))).toBe(200);
      const name = `refused ${reason}`;
      expect((await on.outcomes())[name]).toBe((before[name] ?? 0) + 1);
      reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
    const unpaid = { ...session, payment_status: 'unpaid' };
    await on.deliver(on.stripe.event('checkout.session.completed', unpaid));
    expect(await person.payments()).toMatchObject([{ state: 'pending', receiptNumber: null }]);
    await on.deliver(on.stripe.event('payment_intent.succeeded', { ...intent, amount_received: 1 }));
    expect([await person.ledger(), await other.ledger()]).toEqual([[], []]);
    expect(lines(paymentId).length).toBeGreaterThan(0);
    print(`refused and stored: ${JSON.stringify(reasons)}, credits: 0`);
  });

  it('does not let a refund of one payment count for another', async () => {
    const [one, two] = [await payer(), await payer()];
    const paid = [on.pay(one.sessionId), on.pay(two.sessionId)];
    for (const { session } of paid) await on.deliver(on.stripe.event('checkout.session.completed', session));
    const refund = on.stripe.state.refund(paid[0]?.intent.id ?? '', 100);
    await on.deliver(on.stripe.event('refund.created', refund));
    const moved = { ...refund, payment_intent: paid[1]?.intent.id };
    await on.deliver(on.stripe.event('refund.updated', moved));
    await on.deliver(on.stripe.event('refund.created', { ...refund, id: 're_eur', currency: 'eur' }));
    expect(await one.ledger()).toEqual(['top_up +2000', 'refund -100']);
    expect(await two.ledger()).toEqual(['top_up +2000']);
  });

  it('answers 200 to events that are none of its business, and stores them as ignored', async () => {
    const before = await on.outcomes();
    expect(await on.deliver(on.stripe.event('customer.created', { id: 'cus_1' }))).toBe(200);
    expect((await on.outcomes())['ignored']).toBe((before['ignored'] ?? 0) + 1);
  });

  it('rolls back completely on an error, and credits when the event is retried', async () => {
    const person = await payer();
    const { session } = on.pay(person.sessionId);
    const event = on.stripe.event('checkout.session.completed', session);
    const { sql } = on.site.deps.db;
    await sql`ALTER TABLE outbox RENAME TO outbox_gone`;
    expect(await on.deliver(event)).toBe(500);
    await sql`ALTER TABLE outbox_gone RENAME TO outbox`;
    expect(await person.ledger()).toEqual([]);
    expect(await person.payments()).toMatchObject([{ state: 'created', receiptNumber: null }]);
    expect(await on.deliver(event)).toBe(200);
    expect(await person.ledger()).toEqual(['top_up +2000']);
  });

  it('credits a payment after an expired page or a declined first card', async () => {
    const person = await payer();
    const { session, intent } = on.pay(person.sessionId);
    const refused = {
      ...intent,
      status: 'requires_payment_method',
      last_payment_error: { message: 'No funds' },
    };
    await on.deliver(on.stripe.event('payment_intent.payment_failed', refused));
    expect(await person.payments()).toMatchObject([{ state: 'created', failure: 'No funds' }]);
    await on.deliver(on.stripe.event('checkout.session.expired', { ...session, status: 'expired' }));
    expect(await person.payments()).toMatchObject([{ state: 'expired' }]);
    await on.deliver(on.stripe.event('payment_intent.succeeded', intent));
    expect(await person.payments()).toMatchObject([{ state: 'paid', failure: null, methodLast4: '4242' }]);
  });
});

function shuffle<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function print(line: string): void {
  process.stdout.write(`  ${line}\n`);
}
