import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnApi, type ApiProcess } from '@tollgate/testing/spawn-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHarness, MODEL } from '../gateway-fixture.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../../..');
/** Measured: 102 to 112 MiB. */
const MAX_RESIDENT_MIB = 130;
/** Measured: 0.3 to 0.45 s, of which the wait for the database is no part. */
const MAX_START_SECONDS = 1;

/** The api of `npm start`, which starts from its built files. */
describe('the built api', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'built-api-'));
  let harness: Awaited<ReturnType<typeof createHarness>>;
  let api: ApiProcess;
  beforeAll(async () => {
    harness = await createHarness();
    execFileSync(process.execPath, [path.join(CHECKOUT, 'packages/cli/src/start/build.ts')]);
    const start = () =>
      spawnApi({
        databaseUrl: harness.database.url,
        dataDir,
        main: path.join(CHECKOUT, 'api/dist/main.mjs'),
      });
    // The first start fills the cache of compiled code.
    await (await start()).terminate();
    api = await start();
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
      const { residentMib, cpuSeconds } = readProcess(api.pid);
      expect(residentMib).toBeLessThan(MAX_RESIDENT_MIB);
      expect(cpuSeconds).toBeLessThan(MAX_START_SECONDS);
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

function readProcess(pid: number): { residentMib: number; cpuSeconds: number } {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // Linux counts in hundredths of a second.
  return { residentMib: Number(kib) / 1024, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100 };
}
