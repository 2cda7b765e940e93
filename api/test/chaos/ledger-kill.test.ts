import { setTimeout as sleep } from 'node:timers/promises';
import { formatUsd, type NanoUsd } from '@tollgate/core/money/money';
import { createMeteredModel } from '@tollgate/testing/fake-provider/metered-model';
import { afterAll, expect, it } from 'vitest';
import type { Answer } from './harness/ask.ts';
import { audit, describeAudit, type Audit } from './harness/audit.ts';
import { readKey, untilRecovered } from './harness/ledger-snapshot.ts';
import { runLoad } from './harness/load.ts';
import { createKillableCluster } from './harness/create-cluster.ts';
import { countStatuses, explainFailures } from './harness/refusals.ts';
import { METERED_MODEL } from './harness/scene.ts';

const API_ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);
const DATABASE_ROUNDS = Number(process.env.KILL_DATABASE_ROUNDS ?? 1);
const REDIS_ROUNDS = Number(process.env.KILL_REDIS_ROUNDS ?? 1);
const CLIENTS = Number(process.env.KILL_CLIENTS ?? 1_000);
const PROCESSES = 3;
const DOLLAR: NanoUsd = 1_000_000_000n;
/** The load ends within this time, except for clients that wait for the holds of a dead process. */
const LATEST_KILL_MS = 2_500;
const AWAY_MS = 1_500;
const RECOVERED_WITHIN_MS = 60_000;

const harness = await createKillableCluster(PROCESSES);
const { scene, fleet, postgres, redis } = harness;
afterAll(() => harness[Symbol.asyncDispose]());

const options = { timeout: 240_000 };
const getRounds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

it.each(getRounds(API_ROUNDS))('an api process may be killed at any moment (%i)', options, async (round) => {
  const victim = fleet.apis[round % PROCESSES];
  const { audited } = await killDuring(`api-${round}`, async () => {
    await victim?.kill();
    await sleep(AWAY_MS);
    await victim?.start();
  });
  // The journal has every complete response; only requests that were cut off are estimated.
  expect(audited.estimatedAnswered).toBe(0);
  expect(audited.estimated).toBeLessThan(audited.exact);
});

it.each(getRounds(DATABASE_ROUNDS))('PostgreSQL may be killed at any moment (%i)', options, async (round) => {
  const { answers, audited } = await killDuring(`postgres-${round}`, async () => {
    await postgres.kill();
    await sleep(AWAY_MS);
    await postgres.start();
  });
  expect(audited.estimated).toBe(0);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.filter(({ retryAfterSeconds }) => retryAfterSeconds === null)).toEqual([]);
  expect(refused.filter(({ error }) => error !== 'ledger_unavailable' && error !== 'api_error')).toEqual([]);
  expectOnly(answers, [200, 402, 429, 503]);
});

it.skipIf(redis === null).each(getRounds(REDIS_ROUNDS))(
  'Redis may be killed at any moment (%i)',
  options,
  async (round) => {
    const { answers, audited } = await killDuring(`redis-${round}`, async () => {
      await redis?.kill();
      await sleep(AWAY_MS);
      await redis?.restart();
    });
    expect(audited.estimated).toBe(0);
    expectOnly(answers, [200, 402, 429]);
  },
);

/** Expects every response to be complete, with one of these statuses. */
function expectOnly(answers: readonly Answer[], statuses: readonly number[]): void {
  const odd = answers.filter(
    ({ ending, status }) => ending !== 'closed' && (ending !== 'whole' || !statuses.includes(status ?? 0)),
  );
  expect(odd.slice(0, 3), `${odd.length} unexpected responses`).toEqual([]);
}

/** Kills something during a stampede on a dollar, then compares the ledger with the provider's meter. */
async function killDuring(
  name: string,
  killAndRestart: () => Promise<void>,
): Promise<{ answers: Answer[]; audited: Audit }> {
  scene.provider.reset();
  scene.provider.always(createMeteredModel({ thinkMs: 100, pieces: 10, intervalMs: 30 }));
  const payers = await scene.createPayers({ keys: 1, creditNanoUsd: null, scope: { maxBudgetUsd: '1.00' } });
  const load = runLoad({
    ...harness,
    payers,
    model: METERED_MODEL,
    clients: CLIENTS,
    name,
    maxTokens: 1_000,
    honoursRetryAfter: true,
  });
  const killedAfterMs = Math.random() * LATEST_KILL_MS;
  await sleep(killedAfterMs);
  await killAndRestart();
  const answers = await load;
  const recoveredMs = await untilRecovered(scene.db, fleet, RECOVERED_WITHIN_MS);
  const audited = await audit({ db: scene.db, provider: scene.provider, payers, answers });
  const left = answers.filter(({ ending }) => ending !== 'whole').length;
  process.stdout.write(
    `Kill ${name} after ${killedAfterMs.toFixed(0)} ms: ${countStatuses(answers)} (${left} broken off); ` +
      `${describeAudit(audited)}; recovered ${recoveredMs.toFixed(0)} ms after the last answer\n${explainFailures(fleet, answers)}`,
  );
  // Only the test may kill processes.
  expect(fleet.running()).toHaveLength(PROCESSES);
  expect(audited).toMatchObject({ missing: [], duplicates: [], differing: [], violations: [] });
  expect(audited.exactNanoUsd).toBe(audited.meteredNanoUsd);
  const book = await readKey(scene.db, payers[0]?.keyId ?? '');
  expect(book).toEqual({ spent: audited.billedNanoUsd, held: 0n, budget: DOLLAR });
  expect(book.spent <= DOLLAR, `spent $${formatUsd(book.spent)}`).toBe(true);
  return { answers, audited };
}
