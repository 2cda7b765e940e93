import { openDatabase } from '@tollgate/db/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { get, post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';

const TROUBLE_WITHIN_MS = 15_000;
const messages = [{ role: 'user', content: 'Hello there' }];

let harness: Harness;
let api: TestApi;
beforeAll(async () => {
  harness = await createHarness();
  api = await startTestApi({ db: harness.database.db, runtime: 'node', maxSpoolBytes: 1 });
});
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

const ask = () =>
  post(`${api.baseUrl}/chat/completions`, { model: MODEL, messages }, { secret: harness.secret });

it('refuses requests that cannot be recorded in the database or on disk', async () => {
  expect((await ask()).status).toBe(200);
  await api.deps.ledger.flush();
  await closeDatabase();
  // A key without a limit is served until its records fill the spool.
  await expect.poll(async () => (await ask()).status, { timeout: TROUBLE_WITHIN_MS }).toBe(503);
  const refused = await ask();
  expect((await readJson<ErrorBody>(refused)).error.code).toBe('ledger_unavailable');
  expect(refused.headers.get('retry-after')).toBe('2');
  const readiness = await get(api.baseUrl.replace('/v1', '/readyz'));
  expect(readiness.status).toBe(503);
  expect(await readiness.json()).toMatchObject({
    checks: { ledger: expect.stringContaining('the spool is full') },
  });
});

/** Closes and blocks all connections to the database. */
async function closeDatabase(): Promise<void> {
  const url = new URL(harness.database.url);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const admin = openDatabase(url.href);
  try {
    await admin.sql.unsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin.sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`;
  } finally {
    await admin.close();
  }
}
