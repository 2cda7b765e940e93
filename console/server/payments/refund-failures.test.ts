import { listRefundRequests } from '@tollgate/db/queries/payments/refund-requests';
import { afterAll, describe, expect, it } from 'vitest';
import { createPayer } from '../testing/payments-fixture.ts';
import { createRefunds } from '../testing/refunds-fixture.ts';
import { getRefusal } from '../testing/visitor.ts';
import { finishRefunds } from './refund-payment.ts';

const MINUTE_MS = 60_000;

const { on, client, signInAgain, refund, madeAt } = await createRefunds();
afterAll(() => on[Symbol.asyncDispose]());

describe('a refund that Stripe does not make', () => {
  const payer = async () => createPayer(on);

  it('is refused if it failed at the bank, also if the event of its start arrives late', async () => {
    const person = await payer();
    on.stripe.refundsMeet.push('returned');
    const requestId = crypto.randomUUID();
    const failure = 'The refund failed at the payment provider';
    const message = `The payment provider refused the refund: ${failure}`;
    expect((await getRefusal(refund(person.paymentId, '20', requestId))).message).toBe(message);
    const [made = {}] = madeAt(person.intent.id);
    for (const status of ['pending', 'failed'])
      await on.deliver(on.stripe.event('refund.updated', { ...made, status }));
    expect((await getRefusal(refund(person.paymentId, '20', requestId))).message).toBe(message);
    expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000']);
    const payment = await client().get.query({ paymentId: person.paymentId });
    expect(payment).toMatchObject({
      state: 'paid',
      refundable: { amountNanoUsd: '20000000000' },
      refundRequests: [{ failure }],
    });
    const audit = await person.visitor.client.audit.list.query({ accountId: person.accountId });
    expect(audit.entries[0]).toMatchObject({ action: 'payment.refund_refused', detail: { failure } });
    expect((await refund(person.paymentId, '20')).state).toBe('made');
  });

  it('is refused if Stripe reports by event that it failed, before it answers', async () => {
    const person = await payer();
    on.stripe.refundsMeet.push('failure', 'failure', 'failure');
    await refund(person.paymentId, '20');
    on.stripe.refundsMeet.length = 0;
    const [request] = await listRefundRequests(on.site.deps.db, person.paymentId);
    const failed = on.stripe.state.refund(person.intent.id, 2_000, { refund_id: request?.id ?? '' });
    failed.status = 'failed';
    await on.deliver(on.stripe.event('refund.failed', failed));
    on.site.advance(4 * MINUTE_MS);
    await finishRefunds(on.site.deps);
    expect(await listRefundRequests(on.site.deps.db, person.paymentId)).toMatchObject([{ state: 'refused' }]);
    expect(await on.getLedger(person.accountId)).toEqual(['top_up +2000']);
    expect(madeAt(person.intent.id)).toHaveLength(1);
    await signInAgain();
  });

  it.each([
    [401, 'Stripe does not accept the API key. Check STRIPE_SECRET_KEY.'],
    [403, 'The API key may not make refunds. Allow it to write refunds in Stripe.'],
  ] as const)('is refused if Stripe rejects the API key with %i', async (status, failure) => {
    const person = await payer();
    on.stripe.refundsMeet.push(status);
    const refusal = await getRefusal(refund(person.paymentId, '20'));
    expect(refusal.message).toBe(`The payment provider refused the refund: ${failure}`);
    expect((await refund(person.paymentId, '20')).state).toBe('made');
  });

  it('stays open if the API key is rejected after an answer was lost', async () => {
    const person = await payer();
    on.stripe.refundsMeet.push('failure', 'failure', 'failure', 401);
    await refund(person.paymentId, '20');
    while (on.stripe.refundsMeet.length > 1) on.stripe.refundsMeet.shift();
    for (const state of ['open', 'made']) {
      on.site.advance(4 * MINUTE_MS);
      await finishRefunds(on.site.deps);
      expect(await listRefundRequests(on.site.deps.db, person.paymentId)).toMatchObject([{ state }]);
    }
    await signInAgain();
  });
});
