import { Agent } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase } from '@tollgate/testing/database';
import { findMarker } from '@tollgate/testing/fake-provider/metered-model';
import { spawnApi, type ApiProcess } from '@tollgate/testing/spawn-api';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { TESTED_ENDPOINTS } from '../tested-endpoints.ts';
import { ask, type Answer } from './harness/ask.ts';
import { holdAnswers, sendHeldBurst } from './harness/hold-answers.ts';
import { getModel, setScene, type Payer } from './harness/scene.ts';

const MODEL = getModel('openai-chat');
const FAILURES_THAT_OPEN = 5;

const database = await createTestDatabase();
const scene = await setScene(database.url);
const dataDir = mkdtempSync(path.join(tmpdir(), 'workers-limits-'));
beforeEach(() => scene.provider.reset());
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(workers: number): Promise<ApiProcess> {
  const api = await spawnApi({ databaseUrl: database.url, dataDir, workers });
  const readWorkers = async () => {
    const response = await fetch(new URL('/readyz', api.baseUrl), { headers: { connection: 'close' } });
    return ((await response.json()) as { checks: { workers?: string } }).checks.workers;
  };
  const expected = workers === 1 ? undefined : `ok: ${workers} of ${workers} are ready`;
  await expect.poll(readWorkers, { timeout: 60_000 }).toBe(expected);
  return api;
}

let loads = 0;

/** Each request on a new connection, so that they reach all workers. */
function send(api: ApiProcess, payer: Payer, count: number): Promise<Answer>[] {
  loads += 1;
  const agent = new Agent({ keepAlive: false });
  const [endpoint] = TESTED_ENDPOINTS;
  if (endpoint === undefined) throw new Error('There is no endpoint');
  const question = { baseUrl: api.baseUrl, secret: payer.secret, endpoint, model: MODEL, maxTokens: 100 };
  return Array.from({ length: count }, (_, index) => {
    const marker = `limits-${String(loads).padStart(3, '0')}-${String(index).padStart(3, '0')}`;
    return ask({ ...question, marker, stream: false }, agent);
  });
}

const sendBurst = (api: ApiProcess, payer: Payer, count: number) =>
  sendHeldBurst(scene.provider, () => send(api, payer, count));

const countAdmitted = (answers: readonly Answer[]) => {
  const odd = answers.filter(({ status }) => status !== 200 && status !== 429);
  expect(odd.map(({ status, error, ending }) => `${ending} ${status} ${error}`)).toEqual([]);
  return answers.filter(({ status }) => status === 200).length;
};

const createPayer = async (scope: { rpm: number | null; tpm: number | null }) => {
  const [payer] = await scene.createPayers({ keys: 1, creditNanoUsd: null, scope });
  if (payer === undefined) throw new Error('There is no payer');
  return payer;
};

describe('limits of an api with workers', { timeout: 180_000 }, () => {
  const admittedByTokens = new Set<number>();

  it.each([1, 2, 3])('with %i workers, admit exactly as many requests and tokens', async (workers) => {
    await using api = await start(workers);
    for (const rpm of [1, 9]) {
      const payer = await createPayer({ rpm, tpm: null });
      expect(countAdmitted(await sendBurst(api, payer, 40)), `${rpm} requests per minute`).toBe(rpm);
    }
    const payer = await createPayer({ rpm: null, tpm: 2_000 });
    const admitted = countAdmitted(await sendBurst(api, payer, 40));
    admittedByTokens.add(admitted);
    expect(admitted).toBeGreaterThan(5);
    expect(admitted).toBeLessThan(40);
    expect([...admittedByTokens]).toHaveLength(1);
  });

  it('count the requests of a worker that is killed', async () => {
    await using api = await start(2);
    const release = holdAnswers(scene.provider);
    const payer = await createPayer({ rpm: 10, tpm: null });
    const first = send(api, payer, 6);
    await expect.poll(() => scene.provider.requests.length, { timeout: 30_000 }).toBe(6);
    for (const pid of api.workers().slice(0, 1)) process.kill(pid, 'SIGKILL');
    const second = await sendBurst(api, payer, 30);
    expect(countAdmitted(second)).toBe(4);
    release();
    expect(await Promise.all(first)).toHaveLength(6);
  });

  it('share the breakers of routes', async () => {
    await using api = await start(2);
    scene.provider.always({ error: { status: 503 } });
    const payer = await createPayer({ rpm: null, tpm: null });
    for (let index = 0; index < 4 * FAILURES_THAT_OPEN; index++) await Promise.all(send(api, payer, 1));
    const reached = new Set(scene.provider.requests.map(({ body }) => findMarker(body)));
    // Another request may arrive before the other worker knows of the last failure.
    expect(reached.size).toBeGreaterThanOrEqual(FAILURES_THAT_OPEN);
    expect(reached.size).toBeLessThanOrEqual(FAILURES_THAT_OPEN + 1);
  });
});
