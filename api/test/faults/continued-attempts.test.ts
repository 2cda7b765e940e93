import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { addRoute } from '@tollgate/db/queries/catalogue/routes';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import type { Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES } from '../gateway-fixture.ts';
import { REASONING, SIGNED } from './continued/broken-streams.ts';

const harness = await createHarness([]);
const { provider, secret } = harness;
const { db } = harness.database;
await ensureBuiltIn(db, {
  name: 'claude',
  dialect: 'anthropic-messages',
  baseUrl: `${provider.origin}/v1`,
  credentialEnv: null,
  preset: null,
  models: [{ id: 'claude', upstreamModel: 'claude-sonnet-4-5', facts: {}, prices: PRICES }],
});
const api = await startTestApi({ db, runtime: 'node' });

afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());

const CUT: Script = { answer: { words: 20 }, cutAfterPieces: 11 };
const REST: Script = { answer: { words: 12 } };

async function ask(body: object = {}) {
  const request = {
    model: 'claude',
    max_tokens: 500,
    stream: true,
    messages: [{ role: 'user', content: 'Write.' }],
  };
  const headers = { 'x-tollgate-continue': 'on' };
  const response = await post(`${api.baseUrl}/messages`, { ...request, ...body }, { secret, headers });
  const text = await response.text();
  const id = response.headers.get('x-request-id');
  const find = () => db.sql<{ unbilled: string; first: number | null }[]>`
    SELECT operator_cost_nano_usd::text AS unbilled, first_byte_ms AS first FROM requests WHERE id = ${id} AND state = 'settled'`;
  await expect.poll(async () => (await find()).length).toBe(1);
  const [record] = await find();
  return { text, firstByteMs: record?.first ?? null, unbilled: Number(record?.unbilled) };
}

it('a stream is continued with four attempts at most', async () => {
  provider.next(CUT);
  provider.always({ error: { status: 429 } });
  expect((await ask()).text).toContain('event: error');
  expect(provider.requests).toHaveLength(5);
});

it('the time to the first byte is that of the first attempt, because the caller has had it since then', async () => {
  provider.next(CUT);
  provider.always({ ...REST, headersDelayMs: 800 });
  const { text, firstByteMs } = await ask();
  expect(text).toContain('message_stop');
  expect(firstByteMs).toBeLessThan(800);
});

it('an attempt that may have read the request costs the operator, although it sent nothing', async () => {
  provider.next(CUT);
  provider.always(REST);
  const direct = await ask();
  provider.reset();
  provider.next(CUT);
  provider.next({ cutBeforeHeaders: true });
  provider.always(REST);
  const { text, unbilled } = await ask();
  expect([direct.text, text]).toEqual([
    expect.stringContaining('message_stop'),
    expect.stringContaining('message_stop'),
  ]);
  expect(unbilled).toBeGreaterThan(direct.unbilled);
});

it.each([
  ['has room for its reasoning', 4_096, 2],
  ['has no room for its reasoning', 1_030, 1],
])('a stream is continued if what is left of its maximum %s', async (_, maxTokens, calls) => {
  provider.next({ replay: { body: [...REASONING, ...SIGNED].join('') } });
  provider.always(REST);
  await ask({ thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: maxTokens });
  expect(provider.requests).toHaveLength(calls);
});

it('an attempt that is silent for as long as a first token may take is replaced by another route', async () => {
  await using spare = await createFakeProvider();
  const spares = { name: 'spare', dialect: 'anthropic-messages', baseUrl: `${spare.origin}/v1` } as const;
  await ensureBuiltIn(db, { ...spares, credentialEnv: null, preset: null, models: [] });
  await db.sql`UPDATE models SET first_token_timeout_ms = 200 WHERE id = 'claude'`;
  const route = { modelId: 'claude', upstreamModel: 'claude-sonnet-4-5', weight: 1 };
  for (const [priority, name] of ['spare', 'fake-openai-chat'].entries())
    await addRoute(db, { ...route, providerName: name, priority: priority + 1 });
  await expect.poll(() => api.deps.catalogue.current.get('claude')?.routes.length).toBe(3);
  for (const silent of [{ stallBeforeHeaders: true }, { stallAfterPieces: 1 }] as const) {
    provider.next(CUT);
    provider.always(REST);
    spare.always({ ...REST, ...silent });
    const { text } = await ask();
    expect(text).toContain('message_stop');
    expect([provider.requests.length, spare.requests.length]).toEqual([2, 1]);
    for (const each of [provider, spare]) each.reset();
  }
});
