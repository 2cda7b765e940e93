import { createKeyFixture } from '@tollgate/testing/factories';
import { usageHourly } from '@tollgate/db/schema/requests';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createExportSlots } from '../exports/export-slots.ts';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, signUpVerified, type SignedIn } from '../testing/people.ts';
import type { Visitor } from '../testing/visitor.ts';
import type { AppEnv } from './app-env.ts';
import { tableExportRoutes } from './table-export.ts';

const DAYS = 'from=2026-11-19&to=2026-11-20&step=day&zone=Europe%2FBerlin';

describe('the export of usage', () => {
  let site: TestConsole;
  let owner: SignedIn;
  let keyId: string;
  beforeAll(async () => {
    site = await createTestConsole();
    owner = await signUpVerified(site);
    const { db } = site.deps;
    const { key } = await createKeyFixture(db, owner.accountId, { name: '=1+1' });
    keyId = key.id;
    const rows = [
      ['2026-11-18T22:00:00Z', 'before', 1n],
      ['2026-11-18T23:00:00Z', 'gpt', 132_000n],
      ['2026-11-19T22:00:00Z', 'gpt', 1n],
      ['2026-11-19T23:00:00Z', 'claude', 2_000_000_000n],
      ['2026-11-20T23:00:00Z', 'after', 1n],
    ] as const;
    await db.drizzle.insert(usageHourly).values(
      rows.map(([hour, model, costNanoUsd]) => ({
        hour: new Date(hour),
        accountId: owner.accountId,
        keyId,
        model,
        costNanoUsd,
        requests: 2,
        errors: 1,
        inputTokens: 10,
        cacheReadTokens: 3,
        outputTokens: 7,
      })),
    );
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const get = (person: SignedIn, format: string, query: string, accountId = owner.accountId) =>
    person.visitor.get(`/exports/usage.${format}?accountId=${accountId}&${query}`);

  it('holds every group of every day of the reader, exactly', async () => {
    const response = await get(owner, 'csv', `${DAYS}&group=model`);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="usage-.*\.csv"$/);
    expect((await response.text()).split('\r\n')).toEqual([
      'from,model,requests,failed,input_tokens,cache_read_tokens,cache_write_tokens,cache_write_1h_tokens,output_tokens,cost_usd',
      '2026-11-18T23:00:00.000Z,gpt,4,2,20,6,0,0,14,0.000132001',
      '2026-11-19T23:00:00.000Z,claude,2,1,10,3,0,0,7,2.00',
      '',
    ]);
  });

  it('runs nothing in a spreadsheet, whatever a key is called', async () => {
    const text = await (await get(owner, 'csv', `${DAYS}&group=key`)).text();
    expect(text).toContain(`${keyId},'=1+1,`);
  });

  it('exports JSON on request, by hour and for one model', async () => {
    const query = `days=1&step=hour&zone=UTC&group=status&model=none`;
    expect(await (await get(owner, 'json', query)).json()).toEqual([]);
    const response = await get(owner, 'json', `${DAYS}&group=status&model=gpt`);
    expect(await response.json()).toMatchObject([
      { from: '2026-11-18T23:00:00.000Z', requests: 4, failed: 2, cost_usd: '0.000132001' },
    ]);
  });

  it('is available to viewers, and only to members', async () => {
    const viewer = await joinAs(site, 'viewer', owner.accountId);
    expect((await get(viewer, 'csv', `${DAYS}&group=model`)).status).toBe(200);
    const stranger = await signUpVerified(site);
    expect((await get(stranger, 'csv', `${DAYS}&group=model`)).status).toBe(404);
    const missing = await site
      .visit()
      .get(`/exports/usage.csv?accountId=${owner.accountId}&${DAYS}&group=model`);
    expect(missing.status).toBe(401);
    // A key of another person's gives nothing away.
    const own = await get(stranger, 'json', `${DAYS}&group=key&key=${keyId}`, stranger.accountId);
    expect(await own.json()).toEqual([]);
  });

  it.each(['group=owner', 'group=model&step=week', 'group=model&zone=Nowhere', 'group=model&to=2026-11-01'])(
    'refuses %s',
    async (part) => {
      const merged = new URLSearchParams(DAYS);
      for (const [name, value] of new URLSearchParams(part)) merged.set(name, value);
      expect((await get(owner, 'csv', merged.toString())).status).toBe(400);
    },
  );
});

describe('the exports of a person', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('are two at a time, of whatever they are, and the next when one of them is let go of', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const ask = (file: string) => visitor.get(`/exports/${file}?accountId=${accountId}`);
    const usage = `/exports/usage.json?accountId=${accountId}&${DAYS}&group=model`;
    const running = [await ask('requests.csv'), await visitor.get(usage)];
    expect(running.map(({ status }) => status)).toEqual([200, 200]);
    const refused = [await ask('audit.csv'), await ask('requests.ndjson'), await visitor.get(usage)];
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(await refused[0]?.text()).toBe('Too many exports are running. Wait until one is done.\n');
    const other = await signUpVerified(site);
    expect((await other.visitor.get(`/exports/audit.csv?accountId=${other.accountId}`)).status).toBe(200);
    await running[0]?.body?.cancel();
    expect((await ask('audit.csv')).status).toBe(200);
    expect((await ask('audit.csv')).status).toBe(429);
  });

  it('release their slot if they fail to open', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    let fails = true;
    const routes = tableExportRoutes(site.deps, createExportSlots(1), {
      name: 'numbers',
      isForAdmins: false,
      querySchema: z.object({}),
      open() {
        if (fails) throw new Error('the connection was lost');
        return { columns: ['n'], rows: count() };
      },
    });
    const app = new Hono<AppEnv>().route('/', routes).onError((error, c) => c.text(error.message, 500));
    const ask = () =>
      app.request(`/exports/numbers.csv?accountId=${accountId}`, { headers: getCookie(visitor) });
    const broken = await ask();
    expect([broken.status, await broken.text()]).toEqual([500, 'the connection was lost']);
    fails = false;
    expect(await (await ask()).text()).toBe('n\r\n1\r\n');
  });

  it('release their slot after a HEAD request', async () => {
    const { visitor, accountId } = await signUpVerified(site);
    const url = `${site.deps.settings.publicConsoleUrl}/exports/audit.csv?accountId=${accountId}`;
    for (let times = 0; times < 3; times++) {
      const head = await site.fetch(
        new Request(url, { method: 'HEAD', headers: getCookie(visitor) }),
        '203.0.113.1',
      );
      expect([head.status, head.headers.get('content-type')]).toEqual([
        200,
        'text/csv; charset=utf-8; header=present',
      ]);
    }
  });
});

async function* count(): AsyncGenerator<number[][]> {
  yield [[1]];
}

function getCookie({ cookies }: Visitor): { cookie: string } {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
}
