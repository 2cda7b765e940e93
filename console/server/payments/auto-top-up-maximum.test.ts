import { getMonthRange, findMonth } from '@tollgate/core/money/statement-month';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentsSite, createSavedPayer, type PaymentsSite } from '../testing/payments-fixture.ts';
import { PASSWORD, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';
import { runAutoTopUps } from './run-auto-top-ups.ts';

const WORKERS = 8;
const DAY_MS = 86_400_000;

describe('the monthly maximum of automatic top-ups', () => {
  let on: PaymentsSite;
  let person: SignedIn;
  beforeEach(async () => {
    on = await createPaymentsSite();
    // Month ends must not disturb: start on the tenth of a month.
    const { clock } = on.site.deps;
    on.site.advance(
      getMonthRange(findMonth(new Date(clock.nowMs()))).to.getTime() + 9 * DAY_MS - clock.nowMs(),
    );
    person = await createSavedPayer(on);
    await set('25');
  });
  afterEach(() => on[Symbol.asyncDispose]());

  const set = async (monthlyMaxUsd: string | null, amountUsd = '10') =>
    person.visitor.client.billing.setAutoTopUp.mutate({
      accountId: person.accountId,
      enabled: true,
      thresholdUsd: '5',
      amountUsd,
      monthlyMaxUsd,
    });
  const read = async () =>
    (await person.visitor.client.billing.get.query({ accountId: person.accountId })).autoTopUp;
  const empty = async () =>
    on.site.deps.db.sql`UPDATE balances SET available_nano_usd = 0 WHERE account_id = ${person.accountId}`;
  /** Uses the balance up and lets many workers look, some minutes later. */
  const runDry = async (times: number) => {
    for (let round = 0; round < times; round++) {
      await empty();
      on.site.advance(61_000);
      await Promise.all(Array.from({ length: WORKERS }, async () => runAutoTopUps(on.site.deps)));
    }
  };
  const mails = async () =>
    (await on.site.mailsTo(person.email)).filter(({ subject }) => subject.includes('monthly maximum'));

  it('charges only what fits, shows what was charged, and reports it once', async () => {
    expect(await read()).toMatchObject({
      monthlyMaxUsd: '25.00',
      chargedThisMonthUsd: '0.00',
      pausedUntil: null,
    });
    await runDry(5);
    expect(on.stripe.state.charges).toBe(2);
    const { to } = getMonthRange(findMonth(new Date(on.site.deps.clock.nowMs())));
    expect(await read()).toMatchObject({
      chargedThisMonthUsd: '20.00',
      pausedUntil: to.toISOString(),
    });
    const sent = await mails();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.text).toContain('would exceed your maximum of $25.00 a month');
  });

  it('starts again with the next month', async () => {
    await runDry(3);
    on.site.advance(25 * DAY_MS);
    await runDry(3);
    expect(on.stripe.state.charges).toBe(4);
    await person.visitor.client.auth.signIn.mutate({ email: person.email, password: PASSWORD });
    expect(await read()).toMatchObject({ chargedThisMonthUsd: '20.00' });
    expect(await mails()).toHaveLength(2);
  });

  it('applies as soon as it is raised, lowered or removed', async () => {
    await runDry(3);
    await set('30');
    await runDry(2);
    expect(on.stripe.state.charges).toBe(3);
    await set('10');
    await runDry(1);
    expect(on.stripe.state.charges).toBe(3);
    await set(null);
    await runDry(2);
    expect(on.stripe.state.charges).toBe(5);
    expect(await read()).toMatchObject({
      monthlyMaxUsd: null,
      chargedThisMonthUsd: '50.00',
      pausedUntil: null,
    });
    expect(await mails()).toHaveLength(3);
  });

  it('does not count failed charges, and counts refunded ones', async () => {
    on.stripe.chargesMeet.push('decline');
    await runDry(1);
    on.site.advance(3_600_000);
    await runDry(1);
    expect(await read()).toMatchObject({ chargedThisMonthUsd: '10.00' });
    const [intent] = [...on.stripe.state.intents.values()]
      .filter(({ status }) => status === 'succeeded')
      .slice(-1);
    await on.deliver(on.stripe.event('refund.created', on.stripe.state.refund(intent?.id ?? '', 1_000)));
    expect(await read()).toMatchObject({ chargedThisMonthUsd: '10.00' });
    // The refund turned it off.
    await set('25');
    await runDry(3);
    expect(on.stripe.state.charges).toBe(2);
  });

  it('is at least the top-up amount', async () => {
    const refusal = await getRefusal(set('9.99'));
    expect([refusal.code, refusal.message]).toEqual([
      'BAD_REQUEST',
      'Enter at least $10.00, which one top-up costs.',
    ]);
    expect((await getRefusal(set('many'))).code).toBe('BAD_REQUEST');
    expect(await read()).toMatchObject({ monthlyMaxUsd: '25.00' });
  });
});
