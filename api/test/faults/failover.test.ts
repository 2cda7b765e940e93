import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import type { Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';

const database = await createTestDatabase();
const { sql } = database.db;
const first = await createFakeProvider();
const second = await createFakeProvider();
const other = await createFakeProvider();
const { accountId } = await createAccountFixture(database.db);
const { secret } = await createKeyFixture(database.db, accountId, {});
const messages = [{ role: 'user', content: 'Say hello.' }];
const PACKED = { body: gzipSync('{}'), headers: { 'content-encoding': 'gzip' } };

/** `two` has two routes of one dialect, `lone` one route, `mixed` one of each dialect, `foreign` one of the other dialect. */
async function seed(): Promise<void> {
  const providers = [
    ['prov_first', 'first', 'openai-chat', first.origin],
    ['prov_second', 'second', 'openai-chat', second.origin],
    ['prov_other', 'other', 'anthropic-messages', other.origin],
  ] as const;
  for (const [id, name, dialect, origin] of providers)
    await sql`INSERT INTO providers (id, name, dialect, base_url) VALUES (${id}, ${name}, ${dialect}, ${`${origin}/v1`})`;
  const routes = [
    ['route_two_a', 'two', 'prov_first', 0],
    ['route_two_b', 'two', 'prov_second', 1],
    ['route_lone', 'lone', 'prov_first', 0],
    ['route_mixed_a', 'mixed', 'prov_other', 0],
    ['route_mixed_b', 'mixed', 'prov_second', 1],
    ['route_foreign', 'foreign', 'prov_other', 0],
  ] as const;
  for (const model of new Set(routes.map(([, id]) => id))) {
    await sql`INSERT INTO models (id) VALUES (${model})`;
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES (${model}, 1000000000, 2000000000, now() - interval '1 minute')`;
  }
  for (const [id, model, provider, priority] of routes)
    await sql`INSERT INTO routes (id, model_id, provider_id, priority) VALUES (${id}, ${model}, ${provider}, ${priority})`;
}

await seed();
const encryptionKey = randomBytes(32).toString('base64');
let api: TestApi;

async function start(options: Partial<Parameters<typeof startTestApi>[0]> = {}): Promise<TestApi> {
  return startTestApi({ db: database.db, runtime: 'node', encryptionKey, attempts: 4, ...options });
}

beforeAll(async () => {
  api = await start({ timeouts: { connectMs: 500, firstByteMs: 500, idleMs: 500 } });
});

afterEach(() => {
  for (const provider of [first, second, other]) provider.reset();
});

afterAll(async () => {
  await api.close();
  for (const provider of [first, second, other]) await provider.close();
  await database[Symbol.asyncDispose]();
});

const ask = (model: string, more: object = {}) =>
  post(`${api.baseUrl}/chat/completions`, { model, messages, ...more }, { secret });

interface Recorded {
  provider: string;
  routeId: string;
  status: number;
  costNanoUsd: string;
  attempts: { provider: string; outcome: string; status: number | null; durationMs: number }[] | null;
}

async function recorded(response: Response): Promise<Recorded> {
  const id = response.headers.get('x-request-id');
  const read = async () => {
    const [row] = await sql<Recorded[]>`
      SELECT provider, route_id AS "routeId", status, cost_nano_usd::text AS "costNanoUsd", attempts
      FROM requests WHERE id = ${id}`;
    return row;
  };
  await expect.poll(read, { timeout: 5_000 }).toBeDefined();
  const row = await read();
  if (row === undefined) throw new Error('the request was not recorded');
  return row;
}

describe('a request whose first provider fails', () => {
  it.each<[string, Script, string]>([
    ['breaks off before its headers', { cutBeforeHeaders: true, cutBy: 'reset' }, 'cut'], // First: nothing is kept alive yet.
    ['answers 502', { replay: { status: 502, body: '{}' } }, 'status_502'],
    ['answers 529', { error: { status: 529 } }, 'status_529'],
    ['refuses the credential of the gateway', { error: { status: 401 } }, 'status_401'],
    ['does not respond', { stallBeforeHeaders: true }, 'timeout'],
    ['breaks off within its response', { cutAfterBytes: 20 }, 'cut'],
    ['sends an unreadable response', { garbage: 200 }, 'unreadable'],
    ['compresses its response, and never ends it', { replay: PACKED, stallAfterBytes: 5 }, 'unreadable'],
  ])('is answered by the second if the first %s', async (_what, script, outcome) => {
    first.always(script);
    const response = await ask('two');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ object: 'chat.completion' });
    expect(first.requests).toHaveLength(1);
    expect(second.requests).toHaveLength(1);
    const row = await recorded(response);
    expect(row).toMatchObject({ provider: 'second', routeId: 'route_two_b', status: 200 });
    expect(row.attempts).toMatchObject([
      { provider: 'first', outcome },
      { provider: 'second', outcome: 'answered', status: 200 },
    ]);
    expect(BigInt(row.costNanoUsd)).toBeGreaterThan(0n);
  });

  it('goes to the second provider first while the first one limits its account, and only then', async () => {
    const limited = await createAccountFixture(database.db);
    const { secret: limitedSecret } = await createKeyFixture(database.db, limited.accountId, {});
    const askLimited = () =>
      post(`${api.baseUrl}/chat/completions`, { model: 'two', messages }, { secret: limitedSecret });
    first.next({ error: { status: 429, retryAfterSeconds: 60 } });
    expect((await recorded(await askLimited())).attempts).toMatchObject([
      { provider: 'first', outcome: 'status_429' },
      { provider: 'second', outcome: 'answered' },
    ]);
    expect(await recorded(await askLimited())).toMatchObject({ provider: 'second', attempts: null });
    expect(await recorded(await ask('two'))).toMatchObject({ provider: 'first', attempts: null });
  });

  it('is retried if it has only one provider, after the wait that the provider requested, which is no part of an attempt', async () => {
    for (const wait of [{ retryAfterSeconds: 1 }, {}]) first.next({ error: { status: 429, ...wait } });
    const startedAtMs = performance.now();
    const response = await ask('lone');
    expect(performance.now() - startedAtMs).toBeGreaterThan(990);
    const { attempts } = await recorded(response);
    expect(attempts?.map(({ durationMs }) => durationMs < 900)).toEqual([true, true, true]);
  });

  it('finally gets the provider’s own refusal, after four tries', async () => {
    first.always({ error: { status: 500 } });
    const response = await ask('lone');
    expect(response.status).toBe(500);
    expect(first.requests).toHaveLength(4);
    const row = await recorded(response);
    expect(row.attempts).toHaveLength(4);
    expect(row.costNanoUsd).toBe('0');
  });

  it('is not retried if the request itself is invalid', async () => {
    first.always({ error: { status: 400 } });
    expect((await ask('two')).status).toBe(400);
    expect(first.requests).toHaveLength(1);
    expect(second.requests).toHaveLength(0);
  });

  it('stays with the provider that sent the first byte, and gets an error when it breaks off', async () => {
    first.always({ answer: { words: 50 }, cutAfterBytes: 2_000 });
    const response = await ask('two', { stream: true });
    const text = await response.text();
    expect(text).toContain('"code":"upstream_error"');
    expect(text).not.toContain('[DONE]');
    expect(second.requests).toHaveLength(0);
    expect((await recorded(response)).attempts).toMatchObject([{ provider: 'first', outcome: 'cut' }]);
  });

  it('goes to the second if a stream breaks off before its first event', async () => {
    first.always({ answer: { words: 50 }, cutAfterBytes: 10 });
    const response = await ask('two', { stream: true });
    expect(await response.text()).toContain('data: [DONE]');
    expect(second.requests).toHaveLength(1);
  });
});

describe('a request that one provider cannot express', () => {
  it('goes to a provider that can', async () => {
    const response = await ask('mixed', { n: 2 });
    expect(response.status).toBe(200);
    expect(other.requests).toHaveLength(0);
    expect(second.requests).toHaveLength(1);
  });

  it('is refused by the name of the parameter if no provider can', async () => {
    const response = await ask('foreign', { n: 2 });
    expect(response.status).toBe(400);
    const { error } = await readJson<ErrorBody>(response);
    expect(error).toMatchObject({ code: 'unsupported_parameter', param: 'n' });
    expect(other.requests).toHaveLength(0);
  });

  it('lists what was left out if the response means the same without it', async () => {
    for (const stream of [false, true]) {
      const response = await ask('foreign', { seed: 7, stream });
      expect(response.status).toBe(200);
      expect(response.headers.get('x-tollgate-dropped-params')).toBe('seed');
      await response.text();
    }
  });
});

describe('a provider of the same dialect that refuses some members', () => {
  it('is not sent these members, and the caller is notified', async () => {
    await sql`UPDATE providers SET preset = 'mistral' WHERE id = 'prov_first'`;
    const own = await start();
    try {
      const body = { model: 'lone', messages, user: 'u1', max_completion_tokens: 20 };
      const response = await post(`${own.baseUrl}/chat/completions`, body, { secret });
      expect(response.status).toBe(200);
      expect(response.headers.get('x-tollgate-dropped-params')).toBe('user');
      expect(JSON.parse(first.requests[0]?.body.toString() ?? '')).toEqual({
        model: 'lone',
        messages,
        max_tokens: 20,
      });
    } finally {
      await sql`UPDATE providers SET preset = NULL WHERE id = 'prov_first'`;
      await own.close();
    }
  });

  it('may send its refusals as a list, or as a page', async () => {
    const list = JSON.stringify([
      { error: { code: 400, message: 'Bad field.', status: 'INVALID_ARGUMENT' } },
    ]);
    first.next({ replay: { status: 400, body: list } });
    const refused = await ask('lone');
    expect(refused.status).toBe(400);
    expect((await readJson<ErrorBody>(refused)).error.message).toBe('Bad field.');
    first.always({ replay: { status: 503, body: '<html>busy</html>', contentType: 'text/html' } });
    const busy = await ask('lone');
    expect(busy.status).toBe(503);
    expect((await readJson<ErrorBody>(busy)).error.code).toBe('upstream_overloaded');
  });
});
describe('a provider with a concurrency limit', () => {
  it('is skipped while it is full', async () => {
    await sql`UPDATE providers SET max_concurrency = 1 WHERE id = 'prov_first'`;
    const own = await start();
    const call = (model: string) => post(`${own.baseUrl}/chat/completions`, { model, messages }, { secret });
    try {
      first.next({ headersDelayMs: 400 });
      const slow = call('two');
      await first.nextRequest();
      const [passed, refused] = await Promise.all([call('two'), call('lone')]);
      expect(passed.status).toBe(200);
      expect(second.requests).toHaveLength(1);
      expect(refused.status).toBe(503);
      expect((await readJson<ErrorBody>(refused)).error.code).toBe('upstream_busy');
      expect((await slow).status).toBe(200);
      expect((await call('lone')).status).toBe(200);
    } finally {
      await sql`UPDATE providers SET max_concurrency = NULL WHERE id = 'prov_first'`;
      await own.close();
    }
  });
});

it('a provider with one concurrency slot is retried after an error', async () => {
  await sql`UPDATE providers SET max_concurrency = 1 WHERE id = 'prov_first'`;
  const own = await start();
  try {
    first.next({ replay: { status: 503, body: '{}' } });
    const response = await post(`${own.baseUrl}/chat/completions`, { model: 'lone', messages }, { secret });
    expect(response.status).toBe(200);
  } finally {
    await sql`UPDATE providers SET max_concurrency = NULL WHERE id = 'prov_first'`;
    await own.close();
  }
});

describe('a provider that thinks for a long time', () => {
  it('does not silence a translated stream', async () => {
    const own = await start({ tickMs: 40 });
    try {
      other.next({ answer: { words: 5 }, stallAfterBytes: 400 });
      const leaving = new AbortController();
      const response = await fetch(`${own.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'foreign', messages, stream: true }),
        signal: leaving.signal,
      });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes(': ping')) {
        const piece = await reader?.read();
        if (piece?.done !== false) break;
        text += piece.value;
      }
      expect(text).toMatch(/(^|\n): ping\n(?!\n)/);
      leaving.abort();
      await expect.poll(() => other.requests[0]?.outcome, { timeout: 1_000 }).toBe('aborted');
    } finally {
      await own.close();
    }
  });
});
