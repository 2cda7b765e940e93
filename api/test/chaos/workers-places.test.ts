import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@tollgate/testing/database';
import { createMeteredModel } from '@tollgate/testing/fake-provider/metered-model';
import { spawnApi, type ApiProcess } from '@tollgate/testing/spawn-api';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { TESTED_ENDPOINTS } from '../tested-endpoints.ts';
import { ask, type Answer } from './harness/ask.ts';
import { sendHeldBurst } from './harness/hold-answers.ts';
import { getModel, setScene } from './harness/scene.ts';

const MODEL = getModel('openai-chat');
const MAX = 5;

const database = await createTestDatabase();
const scene = await setScene(database.url);
const { sql } = database.db;
await sql`UPDATE providers SET max_concurrency = ${MAX} WHERE name = 'metered-openai-chat'`;
const dataDir = mkdtempSync(path.join(tmpdir(), 'workers-places-'));
const [payer] = await scene.createPayers({ keys: 1, creditNanoUsd: null });
if (payer === undefined) throw new Error('There is no payer');
const { secret } = payer;
beforeEach(() => scene.provider.reset());
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(workers: number, disconnectDrainMs = 0): Promise<ApiProcess> {
  const api = await spawnApi({ databaseUrl: database.url, dataDir, workers, disconnectDrainMs });
  await expect.poll(() => countReady(api), { timeout: 60_000 }).toBe(workers);
  return api;
}

async function countReady(api: ApiProcess): Promise<number> {
  const response = await fetch(new URL('/readyz', api.baseUrl), { headers: { connection: 'close' } });
  const { checks } = (await response.json()) as { checks: { workers?: string } };
  return Number(/^ok: (\d+)/.exec(checks.workers ?? 'ok: 1')?.[1] ?? 0);
}

let asked = 0;

/** Each request on a new connection, so that they reach all workers. */
function send(api: ApiProcess, count: number, leave?: AbortSignal): Promise<Answer>[] {
  const agent = new Agent({ keepAlive: false });
  const [endpoint] = TESTED_ENDPOINTS;
  if (endpoint === undefined) throw new Error('There is no endpoint');
  const question = { baseUrl: api.baseUrl, secret, endpoint, model: MODEL, maxTokens: 100, stream: false };
  return Array.from({ length: count }, () => {
    asked += 1;
    const marker = `places-${String(asked).padStart(6, '0')}`;
    return ask({ ...question, marker, ...(leave !== undefined && { leave }) }, agent);
  });
}

/** How often each status and error came. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, error } of answers) {
    const name = status === 200 ? 'ok' : `${status} ${error}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const sendBurst = async (api: ApiProcess, count: number) =>
  tally(await sendHeldBurst(scene.provider, () => send(api, count)));

const think = (thinkMs: number) =>
  scene.provider.always(createMeteredModel({ thinkMs, pieces: 4, intervalMs: 5 }));

describe('the maximum concurrency of a provider', { timeout: 180_000 }, () => {
  it.each([1, 2, 3])('is exact with %i workers, in whichever worker the calls are', async (workers) => {
    await using api = await start(workers);
    for (let burst = 0; burst < 2; burst += 1) {
      expect(await sendBurst(api, 40)).toEqual({ ok: MAX, '503 upstream_busy': 40 - MAX });
    }
    think(0);
    const counts: Record<string, number>[] = [];
    for (let round = 0; round < 20; round += 1) {
      // Another worker may have the caller's next request before the supervisor knows that the place is free.
      await sleep(50);
      counts.push(tally(await Promise.all(send(api, MAX))));
    }
    expect(counts).toEqual(counts.map(() => ({ ok: MAX })));
  });

  it('does not count the calls of a worker that was killed', async () => {
    await using api = await start(2);
    think(60_000);
    const held = send(api, MAX);
    await expect.poll(() => scene.provider.requests.length, { timeout: 30_000 }).toBe(MAX);
    for (const pid of api.workers()) process.kill(pid, 'SIGKILL');
    for (const { ending } of await Promise.all(held)) expect(ending).toBe('broken');
    await expect.poll(() => countReady(api).catch(() => 0), { timeout: 60_000 }).toBe(2);
    expect(await sendBurst(api, 20)).toEqual({ ok: MAX, '503 upstream_busy': 20 - MAX });
  });

  it('includes calls of disconnected callers, which yield to calls of all workers', async () => {
    await using api = await start(2, 60_000);
    think(60_000);
    const left = new AbortController();
    const held = send(api, MAX, left.signal);
    await expect.poll(() => scene.provider.requests.length, { timeout: 30_000 }).toBe(MAX);
    expect(tally(await Promise.all(send(api, 3)))).toEqual({ '503 upstream_busy': 3 });
    left.abort();
    await Promise.all(held);
    expect(await sendBurst(api, 20)).toEqual({ ok: MAX, '503 upstream_busy': 20 - MAX });
    const ended = scene.provider.requests.slice(0, MAX).map(({ outcome }) => outcome);
    expect(ended).toEqual(ended.map(() => 'aborted'));
  });
});
