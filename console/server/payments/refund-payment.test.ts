import { formatUsd } from '@tollgate/core/money/money';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { listRefundRequests, requestRefund } from '@tollgate/db/queries/payments/refund-requests';
import { afterAll, describe, expect, it } from 'vitest';
import { createPayer } from '../testing/payments-fixture.ts';
import { createRefunds } from '../testing/refunds-fixture.ts';
import { joinAs, PASSWORD, signUpVerified } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';
import { finishRefunds } from './refund-payment.ts';

const MINUTE_MS = 60_000;

const { on, operator, client, signInAgain, refund, madeAt } = await createRefunds();
afterAll(() => on[Symbol.asyncDispose]());

describe('a refund by an operator', () => {
  const payer = async () => createPayer(on);

  it('makes the refund, its ledger entry, credit note, email and audit entry', async () => {
    const person = await payer();
    const before = await on.getBalance(person.accountId);
    const { state, payment } = await refund(person.paymentId, '7.50');
    expect(state).toBe('made');
    expect(payment).toMatchObject({
      state: 'refunded_part',
      refundable: { amountNanoUsd: '12500000000', obstacle: null },
      reversals: [{ kind: 'refund', state: 'open', takenNanoUsd: '7500000000' }],
      refundRequests: [],
    });
    expect((await getRefusal(refund(person.paymentId, '12.51'))).message).toBe(
      'At most $12.50 can be refunded.',
    );
    expect(madeAt(person.intent.id)).toMatchObject([{ amount: 750 }]);
    expect(before - (await on.getBalance(person.accountId))).toBe(7_500_000_000n);
    expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000', 'refund -750']);
    const { payments } = await person.visitor.client.billing.payments.query({ accountId: person.accountId });
    expect(payments[0]?.corrections).toMatchObject([{ kind: 'credit_note' }]);
    const { entries } = await person.visitor.client.billing.entries.query({ accountId: person.accountId });
    expect(entries[0]).toMatchObject({ kind: 'refund', reason: 'Wrong account' });
    const mail = await on.site.newestMailTo(person.email);
    expect([mail.subject, mail.text]).toEqual([
      'A payment was refunded',
      expect.stringContaining('Reason: Wrong account'),
    ]);
    const audit = await person.visitor.client.audit.list.query({ accountId: person.accountId });
    expect(audit.entries[0]).toMatchObject({
      action: 'payment.refund',
      detail: { amountCents: 750, reason: 'Wrong account' },
    });
    expect((await verifyLedger(on.site.deps.db, { recompute: null })).findings).toEqual([]);
  });

  it('is made once, whatever is sent again and whatever Stripe reports afterwards', async () => {
    const person = await payer();
    const requestId = crypto.randomUUID();
    await refund(person.paymentId, '5', requestId);
    await Promise.all([1, 2, 3].map(async () => refund(person.paymentId, '5', requestId)));
    const [made = {}] = madeAt(person.intent.id);
    const charge = { id: 'ch_1', object: 'charge', payment_intent: person.intent.id };
    for (const event of [
      on.stripe.event('charge.refunded', charge),
      on.stripe.event('refund.created', made),
      on.stripe.event('refund.updated', made),
    ])
      expect(await on.deliver(event)).toBe(200);
    expect(madeAt(person.intent.id)).toHaveLength(1);
    expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000', 'refund -500']);
    const mails = await on.site.mailsTo(person.email);
    expect(mails.filter(({ subject }) => subject === 'A payment was refunded')).toHaveLength(1);
  });

  it('lets one of two operators refund at the same time', async () => {
    const person = await payer();
    const results = await Promise.allSettled([1, 2].map(async () => refund(person.paymentId, '20')));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000', 'refund -2000']);
    expect(madeAt(person.intent.id)).toHaveLength(1);
  });

  it.each(['failure', 'lost_answer'] as const)(
    'is completed once if Stripe meets it with a %s',
    async (trouble) => {
      const person = await payer();
      // Stripe's package repeats a request without an answer, with the same idempotency key.
      on.stripe.refundsMeet.push(trouble, 'failure', 'failure');
      const { state, payment } = await refund(person.paymentId, '20');
      on.stripe.refundsMeet.length = 0;
      if (trouble === 'failure') {
        expect(state).toBe('open');
        expect(payment.refundable.obstacle).toBe('Another refund of this payment is in progress.');
        expect(payment.refundRequests).toMatchObject([
          { amountNanoUsd: '20000000000', requestedByEmail: operator.email, failure: null },
        ]);
        await finishRefunds(on.site.deps);
        expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000']);
        on.site.advance(4 * MINUTE_MS);
      }
      await Promise.all(Array.from({ length: 8 }, async () => finishRefunds(on.site.deps)));
      expect(madeAt(person.intent.id)).toHaveLength(1);
      expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000', 'refund -2000']);
    },
  );

  it.each([
    ['at once, by the same idempotency key', 4 * MINUTE_MS],
    ['after a day, by looking for it', 21 * 60 * MINUTE_MS],
  ])('is completed if the process died after Stripe made it: %s', async (_, waitMs) => {
    const person = await payer();
    const { paymentId, intent } = person;
    const { deps } = on.site;
    const provider = deps.payments;
    if (provider === null) throw new Error('The fixture has no payment provider');
    const now = new Date(deps.clock.nowMs());
    const requested = await requestRefund(deps.db, {
      paymentId,
      amountCents: 600,
      reason: 'r',
      actorUserId: null,
      requestKey: paymentId,
      provider: provider.name,
      now,
    });
    if (!requested.ok) throw new Error(requested.why);
    const requestId = requested.request.id;
    await provider.refund({ requestId, paymentId, intentId: intent.id, amountCents: 600, isRepeated: false });
    expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000']);
    on.site.advance(waitMs);
    await Promise.all(Array.from({ length: 8 }, async () => finishRefunds(deps)));
    expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000', 'refund -600']);
    expect(madeAt(intent.id)).toHaveLength(1);
    expect(await listRefundRequests(deps.db, paymentId)).toMatchObject([{ state: 'made' }]);
  });

  it('ends without a refund if Stripe never made it within a day', async () => {
    const person = await payer();
    on.stripe.refundsMeet.push('failure', 'failure', 'failure');
    await refund(person.paymentId, '20');
    on.stripe.refundsMeet.length = 0;
    on.site.advance(21 * 60 * MINUTE_MS);
    await finishRefunds(on.site.deps);
    await signInAgain();
    const payment = await client().get.query({ paymentId: person.paymentId });
    expect(payment.refundRequests).toMatchObject([{ failure: 'The payment provider did not respond' }]);
    expect(payment.refundable.amountNanoUsd).toBe('20000000000');
    expect(madeAt(person.intent.id)).toEqual([]);
  });

  it('refuses a request ID that another refund has', async () => {
    const [person, other] = [await payer(), await payer()];
    const requestId = crypto.randomUUID();
    await refund(person.paymentId, '5', requestId);
    const message = 'Another refund was requested with this request ID. Use a new one.';
    for (const reused of [refund(person.paymentId, '6', requestId), refund(other.paymentId, '5', requestId)])
      expect((await getRefusal(reused)).message).toBe(message);
    const racing = crypto.randomUUID();
    const results = await Promise.allSettled(
      [person, other].map(async ({ paymentId }) => refund(paymentId, '7', racing)),
    );
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused.map(String)).toEqual([expect.stringContaining(message)]);
    const sums = [person, other].map(({ intent }) =>
      madeAt(intent.id).reduce((sum, { amount }) => sum + amount, 0),
    );
    expect(sums.toSorted((a, b) => a - b)).toEqual(sums[0] === 500 ? [500, 700] : [0, 1_200]);
  });

  it('keeps the payer from deleting their login before it has a result', async () => {
    const person = await payer();
    const { settings, sessions } = person.visitor.client;
    on.stripe.refundsMeet.push('failure', 'failure', 'failure');
    await refund(person.paymentId, '20');
    on.stripe.refundsMeet.length = 0;
    const { obstacle, balanceNanoUsd } = await settings.deletion.query();
    expect(obstacle).toBe('payment_pending');
    await sessions.confirm.mutate({ password: PASSWORD });
    const giveUpUsd = formatUsd(BigInt(balanceNanoUsd));
    const refusal = await getRefusal(settings.deleteLogin.mutate({ email: person.email, giveUpUsd }));
    expect(refusal.message).toContain('A payment or refund is still being processed.');
    on.site.advance(4 * MINUTE_MS);
    await finishRefunds(on.site.deps);
    expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000', 'refund -2000']);
    await person.visitor.client.auth.signIn.mutate({ email: person.email, password: PASSWORD });
    expect((await settings.deletion.query()).obstacle).toBeNull();
    await signInAgain();
  });

  it('says why a payment cannot be refunded', async () => {
    const person = await payer();
    const why = async (paymentId: string, amountUsd = '1') =>
      (await getRefusal(refund(paymentId, amountUsd))).message;
    expect(await why(person.paymentId, '20.01')).toBe('At most $20.00 can be refunded.');
    expect(await why(person.paymentId, '0.001')).toBe('Enter an amount in dollars, like 20 or 12.50.');
    expect(await why('pay_none')).toBe('This payment does not exist.');
    // Refunded in Stripe's dashboard; its event has not arrived.
    on.stripe.state.refund(person.intent.id, 1_900);
    expect(await why(person.paymentId, '5')).toBe(
      'The payment provider refused the refund: Refund amount is greater than unrefunded amount on charge.',
    );
    const shown = await client().get.query({ paymentId: person.paymentId });
    expect(shown.refundRequests).toMatchObject([{ failure: expect.stringContaining('greater than') }]);
    await refund(person.paymentId, '1');
    const charge = { id: 'ch_2', object: 'charge', payment_intent: person.intent.id };
    await on.deliver(on.stripe.event('charge.refunded', charge));
    expect(await why(person.paymentId)).toBe('This payment is already refunded in full.');
    const disputed = await payer();
    const dispute = { id: 'dp_1', amount: 300, currency: 'usd', payment_intent: disputed.intent.id };
    await on.deliver(on.stripe.event('charge.dispute.created', { ...dispute, status: 'needs_response' }));
    expect(await why(disputed.paymentId)).toBe(
      'This payment is disputed. The bank decides who gets the amount.',
    );
    const unpaid = await signUpVerified(on.site);
    await on.checkOut(unpaid);
    const [open] = await on.getPayments(unpaid.accountId);
    expect(await why(open?.id ?? '')).toBe('No funds were received for this payment.');
  });

  it('is only for operators', async () => {
    const person = await payer();
    const admin = await joinAs(on.site, 'admin', person.accountId);
    const input = {
      paymentId: person.paymentId,
      amountUsd: '1',
      reason: 'x',
      requestId: crypto.randomUUID(),
    };
    for (const { visitor } of [person, admin, await signUpVerified(on.site)])
      expect((await getRefusal(visitor.client.operator.payments.refund.mutate(input))).code).toBe(
        'FORBIDDEN',
      );
    expect(madeAt(person.intent.id)).toEqual([]);
  });
});
