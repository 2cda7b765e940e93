import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPaymentsSite, createSavedPayer, type PaymentsSite } from '../testing/payments-fixture.ts';
import { PASSWORD, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';
import { runAutoTopUps } from './run-auto-top-ups.ts';
import { startJobs } from '../jobs/start-jobs.ts';
import type { Deps } from '../deps.ts';
import { removePaymentDataJob } from './remove-payment-data.ts';

const HOUR_MS = 3_600_000;

let on: PaymentsSite;
let person: SignedIn;
beforeEach(async () => {
  on = await createPaymentsSite();
  person = await createSavedPayer(on);
});
afterEach(() => on[Symbol.asyncDispose]());

const turnOn = () =>
  person.visitor.client.billing.setAutoTopUp.mutate({
    accountId: person.accountId,
    enabled: true,
    thresholdUsd: '5',
    amountUsd: '10',
    monthlyMaxUsd: null,
  });
const empty = () =>
  on.site.deps.db.sql`UPDATE balances SET available_nano_usd = 0 WHERE account_id = ${person.accountId}`;
const removals = () => on.site.deps.db.sql<{ state: string; retries: number; data: unknown }[]>`
  SELECT state, retry_count AS retries, data FROM tollgate_jobs.job WHERE name = 'remove-payment-data'`;

/** Runs the removals that are due, until they have the state. */
async function runRemovals(deps: Deps, state: string): Promise<void> {
  const jobs = await startJobs({ ...deps, postman: null }, [removePaymentDataJob]);
  await expect.poll(removals, { interval: 20, timeout: 5000 }).toMatchObject([{ state }]);
  await jobs.stop();
}

it('removes a saved card here immediately and at the provider, and charges it no more', async () => {
  await turnOn();
  const { accountId } = person;
  const [method] = await on.site.deps.db.sql<{ id: string }[]>`SELECT method_id AS id FROM payment_methods`;
  const billing = await person.visitor.client.billing.removeMethod.mutate({ accountId });
  expect(billing).toMatchObject({ savedMethod: null, autoTopUp: { enabled: false } });
  await runRemovals(on.site.deps, 'completed');
  expect(on.stripe.state.detached).toEqual([method?.id]);
  await empty();
  await runAutoTopUps(on.site.deps);
  expect(on.stripe.state.charges).toBe(0);
  const again = person.visitor.client.billing.removeMethod.mutate({ accountId });
  expect((await getRefusal(again)).message).toContain('No card is saved');
  const audit = await on.site.deps.db.sql`
    SELECT detail FROM audit_log WHERE action = 'billing.method_removed'`;
  expect(audit).toMatchObject([{ detail: { last4: '4242' } }]);
});

it('removes no card of which no one knows whether it is being charged', async () => {
  await turnOn();
  await empty();
  on.stripe.chargesMeet.push('failure');
  await runAutoTopUps(on.site.deps);
  const removal = person.visitor.client.billing.removeMethod.mutate({ accountId: person.accountId });
  expect((await getRefusal(removal)).message).toContain('being charged');
});

it('lets the provider forget a customer whose login is deleted, and asks until it has', async () => {
  const { client } = person.visitor;
  await client.sessions.confirm.mutate({ password: PASSWORD });
  await client.settings.deleteLogin.mutate({ email: person.email, giveUpUsd: '21' });
  const { payments } = on.site.deps;
  if (payments === null) throw new Error('Payments are not set up');
  const isAway = { ...payments, removeCustomer: () => Promise.reject(new Error('no answer')) };
  await runRemovals({ ...on.site.deps, payments: isAway }, 'retry');
  expect(on.stripe.state.customers.size).toBe(1);
  const { sql } = on.site.deps.db;
  const [wait] = await sql<{ seconds: number }[]>`
    SELECT extract(epoch FROM start_after - now())::float8 AS seconds FROM tollgate_jobs.job WHERE state = 'retry'`;
  expect(wait?.seconds).toBeGreaterThan(50);
  expect(wait?.seconds).toBeLessThan(120);
  // The queue must not delete unfinished work.
  const [kept] = await sql`SELECT keep_until > now() + interval '9 years' AS long FROM tollgate_jobs.job`;
  expect(kept?.['long']).toBe(true);
  await sql`UPDATE tollgate_jobs.job SET start_after = now() WHERE state = 'retry'`;
  await runRemovals(on.site.deps, 'completed');
  expect(on.stripe.state.customers.size).toBe(0);
});

it('shows why automatic top-ups fail, until one succeeds', async () => {
  await turnOn();
  const { accountId } = person;
  await empty();
  on.stripe.chargesMeet.push('decline');
  await runAutoTopUps(on.site.deps);
  const { client } = person.visitor;
  const { autoTopUpTrouble } = await client.billing.get.query({ accountId });
  expect(autoTopUpTrouble).toMatchObject({
    failures: 1,
    failure: 'Your card was declined.',
    amountNanoUsd: '10000000000',
    nextAttemptAt: expect.any(String),
  });
  on.site.advance(HOUR_MS + 1_000);
  await runAutoTopUps(on.site.deps);
  expect((await client.billing.get.query({ accountId })).autoTopUpTrouble).toBeNull();
});

it('returns a payment by its id, only for its account', async () => {
  const { accountId } = person;
  const [payment] = await on.getPayments(accountId);
  const paymentId = payment?.id ?? '';
  const found = await person.visitor.client.billing.payment.query({ accountId, paymentId });
  expect(found).toMatchObject({ id: paymentId, state: 'paid', amountNanoUsd: '20000000000' });
  const stranger = await signUpVerified(on.site);
  const asked = stranger.visitor.client.billing.payment.query({ accountId: stranger.accountId, paymentId });
  expect((await getRefusal(asked)).code).toBe('NOT_FOUND');
});
