import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '@tollgate/db/client';
import { createFaultyProxy } from '@tollgate/testing/faulty-proxy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../app.ts';
import { createSessions } from '../auth/lucia.ts';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { createDatabaseWatch } from './database-watch.ts';

const LIMIT_MS = 5_000;

describe('a database that accepts queries and does not respond', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('is reported within 5 s, and served again when it responds', async () => {
    await using proxy = await createFaultyProxy(site.deps.db.url);
    const db = openDatabase(proxy.url);
    const sessions = createSessions({ db, clock: site.deps.clock, isSecure: false });
    const app = createApp({ ...site.deps, db, sessions });
    const [name] = sessions.blankCookie().split('=');
    const ask = async (method: 'GET' | 'POST') => {
      const origin = 'http://127.0.0.1:3000';
      const headers = { 'content-type': 'application/json', origin, cookie: `${name}=${'a'.repeat(40)}` };
      const request =
        method === 'GET'
          ? new Request(`${origin}/trpc/session.get`, { headers })
          : new Request(`${origin}/trpc/auth.signOut`, { method: 'POST', body: '{}', headers });
      return app.fetch(request, { incoming: { socket: { remoteAddress: '10.0.0.1' } } });
    };
    expect((await ask('GET')).status).toBe(200);
    proxy.stall();
    const startedMs = performance.now();
    const refused = await Promise.all([ask('GET'), ask('POST')]);
    expect(performance.now() - startedMs).toBeLessThan(LIMIT_MS);
    expect(refused.map(({ status }) => status)).toEqual([503, 503]);
    const data = { code: 'SERVICE_UNAVAILABLE' };
    expect(await Promise.all(refused.map((response) => response.json()))).toMatchObject([
      { error: { message: 'The database does not respond. Try again in a moment.', data } },
      {
        error: {
          message: 'The database does not respond. Check whether your change was saved, then try again.',
          data,
        },
      },
    ]);
    proxy.mend();
    await expect.poll(async () => (await ask('GET')).status, { timeout: 10_000 }).toBe(200);
    await db.sql.end({ timeout: 0 });
  });

  it('does not mistake slow work for an outage', async () => {
    const whileDatabaseResponds = createDatabaseWatch(site.deps.db);
    expect(await whileDatabaseResponds(sleep(3_000, 'done'))).toBe('done');
  });
});
