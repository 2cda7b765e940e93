import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@tollgate/testing/database';
import { createMeteredModel } from '@tollgate/testing/fake-provider/metered-model';
import { spawnApi, type ApiProcess } from '@tollgate/testing/spawn-api';
import { listRecordFiles } from '@tollgate/ledger/record-files';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from './harness/ask.ts';
import { audit } from './harness/audit.ts';
import { untilReleased } from './harness/ledger-snapshot.ts';
import { METERED_MODEL, setScene } from './harness/scene.ts';
import { startSteadyLoad, type SteadyLoadOptions } from './harness/steady-load.ts';

const WORKERS = 2;
const READY_WITHIN_MS = 60_000;
const RELEASED_WITHIN_MS = 60_000;

const database = await createTestDatabase();
const scene = await setScene(database.url);
let dataDir: string;
let api: ApiProcess;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'workers-'));
  scene.provider.reset();
  scene.provider.always(createMeteredModel({ thinkMs: 30, pieces: 10, intervalMs: 20 }));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function startWorkers(workers = WORKERS): Promise<ApiProcess> {
  const started = await spawnApi({ databaseUrl: database.url, dataDir, workers, logLevel: 'info' });
  if (workers > 1) await untilAllReady(started, workers);
  return started;
}

async function untilAllReady({ baseUrl }: ApiProcess, workers: number): Promise<void> {
  const readiness = async () => {
    const response = await fetch(new URL('/readyz', baseUrl), { headers: { connection: 'close' } });
    const { checks } = (await response.json()) as { checks: { workers?: string } };
    return checks.workers;
  };
  await expect.poll(readiness, { timeout: READY_WITHIN_MS }).toBe(`ok: ${workers} of ${workers} are ready`);
}

function load(part: Pick<SteadyLoadOptions, 'payers' | 'name' | 'keepsAlive'>) {
  return startSteadyLoad({ baseUrl: api.baseUrl, model: METERED_MODEL, clients: 12, ...part });
}

/** Enough that each worker has some. */
async function openIdleConnections({ baseUrl }: ApiProcess): Promise<Disposable> {
  const agents = Array.from({ length: 16 }, () => new http.Agent({ keepAlive: true }));
  const asked = agents.map(async (agent) => {
    const request = http.get(new URL('/healthz', baseUrl), { agent });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    await once(response.resume(), 'end');
  });
  await Promise.all(asked);
  return {
    [Symbol.dispose]() {
      for (const agent of agents) agent.destroy();
    },
  };
}

const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

function listUnstored(): string[] {
  const folders = ['spool', 'spool/worker-2', 'spool/worker-3'].map((name) => path.join(dataDir, name));
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => listRecordFiles(folder).map(({ file }) => file));
}

const describeOdd = (answers: readonly Answer[]) =>
  answers
    .filter(({ ending, status }) => ending !== 'whole' || status !== 200)
    .map(({ ending, status, error, marker }) => `${marker} ${ending} ${status} ${error}`);

describe('an api with workers', { timeout: 180_000 }, () => {
  it('serves on while a worker is killed, starts it again, and bills each response once', async () => {
    await using started = await startWorkers();
    api = started;
    const payers = await scene.createPayers({ keys: 4, creditNanoUsd: 1_000_000_000_000n });
    const before = api.workers();
    expect(before).toHaveLength(WORKERS);
    const loads = [true, false].map((keepsAlive) => load({ payers, keepsAlive, name: `kill-${keepsAlive}` }));
    await sleep(2_000);
    const [victim = 0] = before;
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => isRunning(victim)).toBe(false);
    const countAtKill = loads.map(({ answers }) => answers.length);
    // Connections of the killed worker that were not accepted are not lost either: the other one takes them.
    await sleep(1_500);
    expect(loads.map(({ answers }, index) => answers.length > (countAtKill[index] ?? 0))).toEqual([
      true,
      true,
    ]);
    await untilAllReady(api, WORKERS);
    expect(api.workers().filter((pid) => before.includes(pid))).toHaveLength(WORKERS - 1);
    await sleep(1_000);
    const answers = (await Promise.all(loads.map((each) => each.stop()))).flat();
    expect(answers.filter(({ ending }) => ending === 'unreached')).toEqual([]);
    // Requests that the worker had in progress break off, and only those: one for each client at most.
    expect(describeOdd(answers).length).toBeLessThanOrEqual(24);
    await untilReleased(scene.db, RELEASED_WITHIN_MS);
    const audited = await audit({ db: scene.db, provider: scene.provider, payers, answers });
    expect(audited).toMatchObject({ missing: [], duplicates: [], differing: [], violations: [] });
    expect(audited).toMatchObject({ estimatedAnswered: 0, exactNanoUsd: audited.meteredNanoUsd });
    await expect.poll(() => api.output()).toContain('the worker is ready again');
    expect(await api.terminate()).toBe(0);
    expect(listUnstored()).toEqual([]);
  });

  it('replaces its workers on SIGHUP without a failed request', async () => {
    await using started = await startWorkers();
    api = started;
    const payers = await scene.createPayers({ keys: 4, creditNanoUsd: null });
    const before = api.workers();
    const loads = [true, false].map((keepsAlive) => load({ payers, keepsAlive, name: `roll-${keepsAlive}` }));
    // The first requests of a new process take long on a loaded machine.
    await expect
      .poll(() => loads.every(({ answers }) => answers.length > 24), { timeout: 60_000 })
      .toBe(true);
    const earlier = new Set(loads.flatMap(({ answers }) => answers));
    process.kill(api.pid, 'SIGHUP');
    await expect
      .poll(() => api.output(), { timeout: 120_000, interval: 200 })
      .toContain('all workers were replaced');
    await sleep(500);
    const answers = (await Promise.all(loads.map((each) => each.stop()))).flat();
    expect(describeOdd(answers.filter((answer) => !earlier.has(answer)))).toEqual([]);
    expect(api.workers().filter((pid) => before.includes(pid))).toEqual([]);
    expect(api.workers()).toHaveLength(WORKERS);
    // Stores the last settlements.
    expect(await api.terminate()).toBe(0);
    await untilReleased(scene.db, RELEASED_WITHIN_MS);
    const audited = await audit({ db: scene.db, provider: scene.provider, payers, answers });
    expect(audited).toMatchObject({
      missing: [],
      duplicates: [],
      differing: [],
      violations: [],
      estimated: 0,
    });
  });

  it('ends on SIGTERM while it replaces its workers, although callers keep idle connections', async () => {
    await using started = await startWorkers();
    api = started;
    using _ = await openIdleConnections(api);
    const before = api.workers();
    process.kill(api.pid, 'SIGHUP');
    await expect.poll(() => api.output(), { timeout: READY_WITHIN_MS }).toContain('"how":"replaced"');
    // The replaced worker waits for them.
    await sleep(500);
    expect(before.filter(isRunning)).toHaveLength(WORKERS);
    const stoppedMs = performance.now();
    expect(await api.terminate()).toBe(0);
    expect(performance.now() - stoppedMs).toBeLessThan(10_000);
    expect(before.filter(isRunning)).toEqual([]);
  });

  it('ends its workers if the supervisor is killed, and starts again on the same port and directory', async () => {
    api = await startWorkers();
    const workers = api.workers();
    await api.kill();
    await expect.poll(() => workers.filter(isRunning), { timeout: 20_000 }).toEqual([]);
    await using next = await startWorkers(1);
    expect((await fetch(new URL('/readyz', next.baseUrl))).status).toBe(200);
  });

  it('takes over the records of workers that a later start does not have', async () => {
    api = await startWorkers();
    const payers = await scene.createPayers({ keys: 4, creditNanoUsd: 1_000_000_000_000n });
    const busy = load({ payers, keepsAlive: false, name: 'fewer' });
    await sleep(1_500);
    for (const pid of [api.pid, ...api.workers()]) process.kill(pid, 'SIGKILL');
    const answers = await Promise.race([busy.stop(), sleep(20_000, busy.answers)]);
    await using single = await startWorkers(1);
    await expect.poll(listUnstored, { timeout: RELEASED_WITHIN_MS }).toEqual([]);
    await untilReleased(scene.db, RELEASED_WITHIN_MS);
    const audited = await audit({ db: scene.db, provider: scene.provider, payers, answers });
    expect(audited).toMatchObject({
      missing: [],
      duplicates: [],
      differing: [],
      violations: [],
      estimatedAnswered: 0,
    });
    expect(single.output()).not.toContain('could not be taken over');
  });
});
