import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnApi, type ApiProcess } from '@tollgate/testing/spawn-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHarness, MODEL } from '../gateway-fixture.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../../..');
/**
 * Measured: 54 MiB, and 111 MiB from the sources. Without the pages of files, which are shared, and of which some kernels map
 * 40 MiB more than others.
 */
const MAX_ANONYMOUS_MIB = 75;
/**
 * Of the processor time that the sources need until they are ready. Measured: 0.3 to 0.4, with 0.3 to 0.45 s. A share, because a
 * busy machine needs more time for both.
 */
const MAX_START_SHARE = 0.6;

/** The api of `npm start`, which starts from its built files. */
describe('the built api', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'built-api-'));
  let harness: Awaited<ReturnType<typeof createHarness>>;
  let api: ApiProcess;
  let started: ReturnType<typeof readProcess>;
  let secondsOfSources: number;

  /** Starts it for the second time: the first start fills the cache of compiled code. */
  const start = async (file: string) => {
    const options = { databaseUrl: harness.database.url, dataDir, main: path.join(CHECKOUT, file) };
    await (await spawnApi(options)).terminate();
    return spawnApi(options);
  };
  beforeAll(async () => {
    harness = await createHarness();
    execFileSync(process.execPath, [path.join(CHECKOUT, 'packages/cli/src/start/build.ts')]);
    const sources = await start('api/src/main.ts');
    secondsOfSources = readProcess(sources.pid).cpuSeconds;
    await sources.terminate();
    api = await start('api/dist/main.mjs');
    started = readProcess(api.pid);
  }, 120_000);
  afterAll(async () => {
    await api.terminate();
    await harness[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true });
  });

  const post = async (endpoint: string, body: object) => {
    const { secret } = await harness.createKey();
    return fetch(`${api.baseUrl}${endpoint}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify(body),
    });
  };

  it.skipIf(process.platform !== 'linux')(
    'starts with little processor time, and rests in little memory',
    () => {
      expect(started.anonymousMib).toBeLessThan(MAX_ANONYMOUS_MIB);
      expect(started.cpuSeconds / secondsOfSources).toBeLessThan(MAX_START_SHARE);
    },
  );

  it('finds the files that its sources read', async () => {
    const statuses = ['/openapi.json', '/docs', '/docs/page.js', '/docs/swagger-ui.css'].map(
      async (page) => (await fetch(new URL(page, api.baseUrl))).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200]);
  });

  it('runs the threads that parse large bodies', async () => {
    harness.provider.always({ answer: { words: 3 } });
    const content = 'word '.repeat(600_000);
    const response = await post('/chat/completions', { model: MODEL, messages: [{ role: 'user', content }] });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('word3')]);
  });

  it('runs the thread that counts tokens', async () => {
    const response = await post('/messages/count_tokens', {
      model: MODEL,
      messages: [{ role: 'user', content: 'Each word counts. '.repeat(1_000) }],
    });
    expect([response.status, await response.json()]).toEqual([200, { input_tokens: expect.any(Number) }]);
  });
});

function readProcess(pid: number): { anonymousMib: number; cpuSeconds: number } {
  const [, kib] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // Linux counts in hundredths of a second.
  return { anonymousMib: Number(kib) / 1024, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100 };
}
