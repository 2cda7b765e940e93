import { setTimeout as sleep } from 'node:timers/promises';
import { mintApiKey } from '@tollgate/auth/api-key';
import { createMeteredModel } from '@tollgate/testing/fake-provider/metered-model';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { FleetApi } from './harness/api-fleet.ts';
import { ask, type Answer } from './harness/ask.ts';
import { audit, describeAudit } from './harness/audit.ts';
import { untilReleased } from './harness/ledger-snapshot.ts';
import { createKillableCluster } from './harness/create-cluster.ts';
import { METERED_MODEL, type Payer } from './harness/scene.ts';
import { TESTED_ENDPOINTS, type TestedEndpoint } from '../tested-endpoints.ts';

const PROCESSES = 2;
const STREAMS_EACH = 15;
const RECOVERED_WITHIN_MS = 60_000;
const RESUMES_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;

const harness = await createKillableCluster(PROCESSES);
const { scene, fleet, agent, postgres } = harness;
const [doomed, survivor] = fleet.apis;
if (doomed === undefined || survivor === undefined) throw new Error('The cluster has no processes');
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => scene.provider.reset());

const options = { timeout: 150_000 };

it(
  'responses sent while PostgreSQL is down are billed after its restart, on the same process',
  options,
  async () => {
    const payer = await createPayer();
    const answers = await beginAnswers(survivor.baseUrl, payer, 'alone');
    await postgres.kill();
    const refusals = await Promise.all(
      TESTED_ENDPOINTS.map((endpoint) => askOnce(survivor.baseUrl, payer.secret, endpoint)),
    );
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 503, ending: 'whole' });
      expect(['ledger_unavailable', 'api_error']).toContain(refusal.error);
      expect(refusal.retryAfterSeconds).toBeGreaterThan(0);
    }
    expect(await survivor.readiness()).toMatchObject({ status: 503 });
    const stranger = await askOnce(survivor.baseUrl, mintApiKey().key, TESTED_ENDPOINTS[0]);
    expect(stranger.status).toBe(503);
    const given = await answers.rest();
    expect(given.filter(({ ending, status }) => ending !== 'whole' || status !== 200)).toEqual([]);

    await postgres.start();
    const { baseUrl } = survivor;
    const [servedMs, readyMs] = await Promise.all([untilServed(baseUrl, payer), untilReady(survivor)]);
    await untilReleased(scene.db, RECOVERED_WITHIN_MS);
    const resumed = `served again after ${servedMs.toFixed(0)} ms, ready after ${readyMs.toFixed(0)} ms`;
    await checkBooks(resumed, payer, given.concat(refusals));
  },
);

it(
  'they are also billed if the process is killed meanwhile and restarts before the database',
  options,
  async () => {
    const payer = await createPayer();
    const answers = await beginAnswers(doomed.baseUrl, payer, 'doomed');
    await postgres.kill();
    const given = await answers.rest();
    expect(given.filter(({ ending, status }) => ending !== 'whole' || status !== 200)).toEqual([]);
    // The last settlement is written within moments of its response.
    await sleep(LOOK_EVERY_MS);
    await doomed.kill();
    const restarted = doomed.start();
    await sleep(10 * LOOK_EVERY_MS);
    expect((await doomed.readiness())?.status ?? 503).toBe(503);

    await postgres.start();
    await restarted;
    const startMs = performance.now();
    await untilServed(survivor.baseUrl, payer);
    await untilServed(doomed.baseUrl, payer);
    await untilReleased(scene.db, RECOVERED_WITHIN_MS);
    await untilNothingIsEstimated();
    const tookMs = performance.now() - startMs;
    await checkBooks(`after a death, all of it ${tookMs.toFixed(0)} ms after the start`, payer, given);
  },
);

async function createPayer(): Promise<Payer> {
  const [payer] = await scene.createPayers({
    keys: 1,
    creditNanoUsd: null,
    scope: { maxBudgetUsd: '10.00' },
  });
  if (payer === undefined) throw new Error('There is no payer');
  return payer;
}

/** Starts streams and responses of two seconds, and waits until every stream has started. */
async function beginAnswers(baseUrl: string, payer: Payer, name: string) {
  await untilServed(baseUrl, payer);
  scene.provider.always(createMeteredModel({ thinkMs: 100, pieces: 20, intervalMs: 100 }));
  const begun: Promise<void>[] = [];
  const answers = Array.from({ length: STREAMS_EACH * TESTED_ENDPOINTS.length }, (_, index) => {
    const endpoint = TESTED_ENDPOINTS[index % TESTED_ENDPOINTS.length];
    if (endpoint === undefined) throw new Error('There is no such endpoint');
    const first = Promise.withResolvers<void>();
    const stream = index % 2 === 0;
    if (stream) begun.push(first.promise);
    return ask(
      {
        baseUrl,
        secret: payer.secret,
        endpoint,
        model: METERED_MODEL,
        marker: `${name}-${index}`,
        stream,
        maxTokens: 500,
        onData: () => first.resolve(),
      },
      agent,
    );
  });
  await Promise.all(begun);
  return { rest: () => Promise.all(answers) };
}

let serial = 0;

function askOnce(baseUrl: string, secret: string, endpoint: TestedEndpoint | undefined): Promise<Answer> {
  if (endpoint === undefined) throw new Error('There is no such endpoint');
  serial += 1;
  const marker = `once-${serial}`;
  return ask(
    { baseUrl, secret, endpoint, model: METERED_MODEL, marker, stream: false, maxTokens: 20 },
    agent,
  );
}

/** @returns how long it took until a request was served again, in ms */
async function untilServed(baseUrl: string, payer: Payer): Promise<number> {
  scene.provider.always(createMeteredModel({ thinkMs: 0, pieces: 2, intervalMs: 0 }));
  const startMs = performance.now();
  for (;;) {
    const answer = await askOnce(baseUrl, payer.secret, TESTED_ENDPOINTS[0]);
    const tookMs = performance.now() - startMs;
    if (answer.status === 200) return tookMs;
    if (tookMs > RESUMES_WITHIN_MS)
      throw new Error(`Still ${answer.status} after ${tookMs} ms: ${answer.body}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** @returns how long it took until it was ready, in ms */
async function untilReady(api: FleetApi): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const readiness = await api.readiness();
    const tookMs = performance.now() - startMs;
    if (readiness?.status === 200) return tookMs;
    if (tookMs > RESUMES_WITHIN_MS) throw new Error(`Not ready after ${tookMs} ms: ${readiness?.body}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Estimates by a live replica for a dead one are corrected once the dead one's journal is read. */
async function untilNothingIsEstimated(): Promise<void> {
  const deadlineMs = performance.now() + RECOVERED_WITHIN_MS;
  for (;;) {
    const left = await scene.db.sql`SELECT 1 FROM requests WHERE recovered OR estimated LIMIT 1`;
    if (left.length === 0) return;
    if (performance.now() > deadlineMs)
      throw new Error('Estimates are left although the journal has the exact usage');
    await sleep(LOOK_EVERY_MS);
  }
}

async function checkBooks(what: string, payer: Payer, answers: readonly Answer[]): Promise<void> {
  const audited = await audit({ db: scene.db, provider: scene.provider, payers: [payer], answers });
  process.stdout.write(`PostgreSQL away, ${what}: ${describeAudit(audited)}\n`);
  expect(fleet.running()).toHaveLength(PROCESSES);
  expect(audited).toMatchObject({ missing: [], duplicates: [], differing: [], violations: [], estimated: 0 });
  expect(audited.exactNanoUsd).toBe(audited.meteredNanoUsd);
}
