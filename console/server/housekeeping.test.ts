import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import { holdRequest, getSettlement } from '@tollgate/testing/ledger-records';
import { findAccountByEmail } from '@tollgate/db/queries/accounts/accounts';
import { expect, it } from 'vitest';
import { HOUSEKEEPING } from './housekeeping.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { createTestConsole } from './testing/console-fixture.ts';
import { signUpVerified } from './testing/people.ts';

const HOUR_MS = 3_600_000;

/** Jobs that have nothing to do here. */
const WITHOUT_WORK = new Set(['pass-on-unspent-budget', 'send-credential-alerts', 'check-credentials']);

it('posts the usage of hours that ended, however long ago', async () => {
  await using site = await createTestConsole();
  const { db } = site.deps;
  const { accountId, email } = await signUpVerified(site);
  const owner = { accountId, keyId: (await createKeyFixture(db, accountId)).key.id };
  const startedAt = [Date.now(), Date.now() - 2 * HOUR_MS, Date.now() - 20 * HOUR_MS];
  const holds = startedAt.map((startedAtMs) => holdRequest(owner, { startedAtMs, chargesBalance: true }));
  const settlements = holds.map((hold) => getSettlement(hold, { costNanoUsd: 700n }));
  await commitBatch(db, { holds });
  await commitBatch(db, { settlements });

  const jobDeps = { ...site.deps, postman: null };
  const jobs = await startJobs(jobDeps, HOUSEKEEPING);
  const kinds = HOUSEKEEPING.filter((kind) => kind.canRun(jobDeps) && !WITHOUT_WORK.has(kind.name));
  const unfinished = () => db.sql`
    SELECT name FROM tollgate_jobs.queue q WHERE name = ANY (${kinds.map(({ name }) => name)}::text[])
      AND NOT EXISTS (SELECT FROM tollgate_jobs.job j WHERE j.name = q.name AND j.state = 'completed')`;
  await expect.poll(unfinished, { interval: 50, timeout: 10_000 }).toEqual([]);
  await jobs.stop();
  const entries = await db.sql<{ hours: bigint; amount: bigint }[]>`
    SELECT count(*) AS hours, sum(amount_nano_usd)::bigint AS amount FROM ledger_entries WHERE kind = 'usage'`;
  expect(entries).toEqual([{ hours: 2n, amount: 1_400n }]);
  // The plan's credit was added when the email was verified.
  expect(await findAccountByEmail(db, email)).toMatchObject({
    planId: 'free',
    availableNanoUsd: 1_000_000_000n - 2_100n,
  });
  expect(site.logLines.filter((line) => line.includes('job failed'))).toEqual([]);
});
