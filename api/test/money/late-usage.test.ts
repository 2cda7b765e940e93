import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyFixture } from '@tollgate/testing/factories';
import { NO_USAGE } from '@tollgate/core/money/money';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { asLost } from '../../src/pipeline/settlement-values.ts';
import { Settlement } from '../../src/pipeline/settlement.ts';
import { post } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL } from '../gateway-fixture.ts';

const harness = await createHarness();
const { db } = harness.database;
// The provider speaks only chat completions: the other dialects are translated.
await db.sql`DELETE FROM routes WHERE provider_id IN (SELECT id FROM providers WHERE dialect <> 'openai-chat')`;
const { secret } = await createKeyFixture(db, harness.accountId);
const api = await startTestApi({ db, runtime: 'node' });

afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

afterEach(() => vi.restoreAllMocks());

const STREAM = [
  '{"id":"x","choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"}}]}',
  '{"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  '[DONE]',
  '{"id":"x","choices":[],"usage":{"prompt_tokens":20,"completion_tokens":4000,"total_tokens":4020}}',
]
  .map((data) => `data: ${data}\n\n`)
  .join('');

const ENDPOINTS: [string, object, string][] = [
  ['/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }, '[DONE]'],
  ['/messages', { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5_000 }, 'message_stop'],
  ['/responses', { input: 'Hi' }, 'response.completed'],
];

it.each(ENDPOINTS)('usage that comes after the terminator is billed: %s', async (path, asked) => {
  harness.provider.always({ replay: { body: STREAM }, split: 'natural', intervalMs: 20 });
  const response = await post(`${api.baseUrl}${path}`, { model: MODEL, stream: true, ...asked }, { secret });
  const text = await response.text();
  await api.deps.ledger.flush();
  const [row] = await db.sql<{ output: number; estimated: boolean }[]>`
    SELECT output_tokens AS output, estimated FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
  expect(row).toEqual({ output: 4000, estimated: false });
  // Nothing follows the end of the caller's dialect.
  if (path === '/messages') expect(text).toMatch(/event: message_stop\ndata: [^\n]*\n\n$/);
  if (path === '/responses') expect(text.match(/response\.completed/g)?.length).toBeGreaterThan(0);
});

it.each(ENDPOINTS)(
  'usage after the terminator is billed without the blank line that ends its event: %s',
  async (path, asked) => {
    harness.provider.reset();
    harness.provider.always({ replay: { body: STREAM.trimEnd() }, split: 'natural', intervalMs: 20 });
    const response = await post(
      `${api.baseUrl}${path}`,
      { model: MODEL, stream: true, ...asked },
      { secret },
    );
    await response.text();
    await api.deps.ledger.flush();
    const [row] = await db.sql<{ output: number }[]>`
      SELECT output_tokens AS output FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
    expect(row).toEqual({ output: 4000 });
  },
);

it.each(ENDPOINTS)('a stream is measured once for its checkpoint and its bill: %s', async (path, asked) => {
  // With its end in the same read as its terminator, a stream has no checkpoint.
  const body = STREAM.split('\n\n').slice(0, 3).join('\n\n') + '\n\n: the end\n\n';
  harness.provider.reset();
  harness.provider.always({ replay: { body }, split: 'natural', intervalMs: 20 });
  const keeping = vi.spyOn(Settlement.prototype, 'checkpoint');
  const settling = vi.spyOn(Settlement.prototype, 'settle');
  const response = await post(`${api.baseUrl}${path}`, { model: MODEL, stream: true, ...asked }, { secret });
  await response.text();
  const [kept] = keeping.mock.lastCall ?? [];
  const [settled] = settling.mock.lastCall ?? [];
  expect(kept?.usage?.outputTokens).toBeGreaterThan(0);
  expect(settled?.usage).toBe(kept?.usage);
});

it('a stream has one checkpoint at its end, also if usage follows its terminator', async () => {
  harness.provider.reset();
  harness.provider.always({ replay: { body: STREAM }, split: 'natural', intervalMs: 20 });
  const keeping = vi.spyOn(Settlement.prototype, 'checkpoint');
  const messages = [{ role: 'user', content: 'Hi' }];
  const asked = { model: MODEL, messages, stream: true, stream_options: { include_usage: true } };
  const text = await (await post(`${api.baseUrl}/chat/completions`, asked, { secret })).text();
  // Nothing is sent after the terminator.
  expect(text).toMatch(/data: \[DONE\]\s*$/);
  expect(text).not.toContain('"usage"');
  expect(keeping).toHaveBeenCalledTimes(1);
});

it.each(ENDPOINTS)(
  'the terminator waits until the journal has the bill: %s',
  async (path, asked, terminator) => {
    harness.provider.reset();
    harness.provider.always({ replay: { body: STREAM }, split: 'natural', intervalMs: 20 });
    const waiting: (() => void)[] = [];
    vi.spyOn(api.deps.ledger, 'whenKept').mockImplementation((_, callback) => void waiting.push(callback));
    const response = await post(
      `${api.baseUrl}${path}`,
      { model: MODEL, stream: true, ...asked },
      { secret },
    );
    let text = '';
    const reading = (async () => {
      for await (const piece of response.body ?? []) text += Buffer.from(piece).toString();
    })();
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    await sleep(200);
    expect(text).toContain('Hello');
    expect(text).not.toContain(terminator);
    vi.restoreAllMocks();
    for (const callback of waiting) callback();
    await reading;
    expect(text).toContain(terminator);
  },
);

it('a checkpoint after the settlement of a response is not kept', async () => {
  harness.provider.reset();
  const settling = vi.spyOn(Settlement.prototype, 'settle');
  const keeping = vi.spyOn(api.deps.ledger, 'checkpoint');
  const messages = [{ role: 'user', content: 'Hi' }];
  const response = await post(`${api.baseUrl}/chat/completions`, { model: MODEL, messages }, { secret });
  expect(response.status).toBe(200);
  const [settlement] = settling.mock.contexts;
  if (!(settlement instanceof Settlement)) throw new Error('Nothing was settled');
  settlement.checkpoint(asLost({ ...NO_USAGE, outputTokens: 9 }));
  expect(keeping).not.toHaveBeenCalled();
});

it.each([
  ['/messages', { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5_000 }],
  ['/responses', { input: 'Hi' }],
])(
  'estimated usage in the response matches the bill if the provider reports none: %s',
  async (path, asked) => {
    const body = STREAM.replace(/data: [^\n]*"usage"[^\n]*\n\n/, '').replace(
      'Hello',
      'Hello world. '.repeat(40),
    );
    harness.provider.reset();
    harness.provider.always({ replay: { body } });
    const response = await post(
      `${api.baseUrl}${path}`,
      { model: MODEL, stream: true, ...asked },
      { secret },
    );
    const text = await response.text();
    await api.deps.ledger.flush();
    const [row] = await db.sql<{ output: number; estimated: boolean }[]>`
    SELECT output_tokens AS output, estimated FROM requests WHERE id = ${response.headers.get('x-request-id')}`;
    expect(row?.estimated).toBe(true);
    expect(row?.output).toBeGreaterThan(50);
    expect([...text.matchAll(/"output_tokens":(\d+)/g)].at(-1)?.[1]).toBe(String(row?.output));
  },
);
