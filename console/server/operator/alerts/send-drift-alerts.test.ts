import { commitBatch } from '@tollgate/testing/commit-batch';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { afterAll, expect, it } from 'vitest';
import { createTestConsole } from '../../testing/console-fixture.ts';
import { signUpVerified } from '../../testing/people.ts';
import { sendDriftAlerts } from './send-drift-alerts.ts';

const CENT = 10_000_000n;
const DAY_MS = 86_400_000;

const site = await createTestConsole();
const operator = await signUpVerified(site);
const other = await signUpVerified(site);
await site.deps.db.sql`UPDATE users SET is_operator = (email = ${operator.email})`;

afterAll(() => site[Symbol.asyncDispose]());

/** Adds `count` requests to a route, each billed at 10 cents. */
async function addRequests(routeId: string, count: number, reportedCostNanoUsd: bigint, ageMs = 0) {
  const owner = { accountId: operator.accountId, keyId: 'key' };
  const startedAtMs = site.deps.clock.nowMs() - ageMs;
  const rest = {
    model: 'small',
    routeId,
    priceId: 1,
    costNanoUsd: 10n * CENT,
    reportedCostNanoUsd,
    startedAtMs,
  };
  await commitBatch(site.deps.db, {
    settlements: Array.from({ length: count }, () => requestRecord(owner, rest)),
  });
}

const getEmails = async (email: string) =>
  (await site.mailsTo(email)).filter(({ subject }) => subject === 'Provider costs differ from billed costs');
const runAll = () => Promise.all([1, 2, 3].map(() => sendDriftAlerts(site.deps)));

it('does not notify operators of small, rare or old drift', async () => {
  await addRequests('route_close', 20, 10n * CENT + CENT / 10n);
  await addRequests('route_rare', 9, 20n * CENT);
  await addRequests('route_old', 10, 20n * CENT, 25 * 3_600_000);
  await runAll();
  expect(await getEmails(operator.email)).toHaveLength(0);
});

it('does not notify operators of a difference below one cent', async () => {
  const owner = { accountId: operator.accountId, keyId: 'key' };
  const rest = {
    model: 'cheap',
    routeId: 'route_cheap',
    priceId: 1,
    costNanoUsd: 100n,
    reportedCostNanoUsd: 900_000n,
  };
  const startedAtMs = site.deps.clock.nowMs();
  await commitBatch(site.deps.db, {
    settlements: Array.from({ length: 11 }, () => requestRecord(owner, { ...rest, startedAtMs })),
  });
  await runAll();
  expect(await getEmails(operator.email)).toHaveLength(0);
});

it('notifies operators once for each model and route, although several consoles check', async () => {
  await addRequests('route_a', 10, 11n * CENT);
  await runAll();
  await runAll();
  const mails = await getEmails(operator.email);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain(
    'small at p: the provider reported $1.10 for 10 requests, 9.1% above the $1.00 billed at cost.',
  );
  expect(mails[0]?.text).toContain('/operator/costs');
  expect(mails[0]?.text).not.toContain('cheap');
  expect(await getEmails(other.email)).toHaveLength(0);
  await addRequests('route_b', 10, 9n * CENT);
  await runAll();
  const newest = (await getEmails(operator.email)).filter(({ text }) => text.includes('10.0% below'));
  expect(newest).toHaveLength(1);
  expect(await getEmails(operator.email)).toHaveLength(2);
});

it('notifies them again after seven days, only if the drift goes on', async () => {
  const age = (ms: number) =>
    site.deps.db
      .sql`UPDATE cost_drift_alerts SET notified_at = notified_at - make_interval(secs => ${ms / 1000})`;
  await age(6 * DAY_MS);
  await runAll();
  expect(await getEmails(operator.email)).toHaveLength(2);
  await age(DAY_MS);
  await site.deps.db.sql`DELETE FROM requests WHERE route_id = 'route_b'`;
  await runAll();
  const mails = await getEmails(operator.email);
  expect(mails).toHaveLength(3);
  expect(mails.filter(({ text }) => text.includes('9.1% above'))).toHaveLength(2);
});
