/** Large responses that are not streams: their memory is bounded, and a thread reads them like small ones. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES, type Harness } from '../gateway-fixture.ts';

const MIB = 1024 * 1024;
const TRANSLATED = 'of-messages';
const JSON_TYPE = 'application/json';

/** A provider's embeddings response with about the given number of bytes. */
function embeddings(bytes: number, more: object = {}): Buffer {
  const vector = Array.from({ length: 512 }, (_, at) => Math.sin(at));
  const entry = { object: 'embedding', index: 0, embedding: vector };
  const data = Array.from({ length: Math.ceil(bytes / JSON.stringify(entry).length) }, () => entry);
  return Buffer.from(
    JSON.stringify({
      object: 'list',
      data,
      model: 'm',
      usage: { prompt_tokens: 1_234, total_tokens: 1_234 },
      ...more,
    }),
  );
}
const replay = (body: Buffer) => ({ replay: { body, contentType: JSON_TYPE } });

describe.each(['node', 'web'] as const)('a large response on the %s runtime', (runtime) => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness();
    await ensureBuiltIn(harness.database.db, {
      name: 'translated',
      dialect: 'anthropic-messages',
      baseUrl: `${harness.provider.origin}/v1`,
      credentialEnv: null,
      preset: null,
      models: [{ id: TRANSLATED, upstreamModel: null, facts: {}, prices: PRICES }],
    });
    api = await startTestApi({
      db: harness.database.db,
      runtime,
      responseMemoryBytes: 96 * MIB,
      attempts: 4,
      breaker: { failures: 1, openMs: 60_000 },
      drainAfterDisconnectMs: 10_000,
    });
  });
  const open: Socket[] = [];
  beforeEach(() => harness.provider.reset());
  afterEach(async () => {
    for (const socket of open.splice(0)) socket.destroy();
    while (api.deps.largeAnswers.budget.usedBytes > 0) await sleep(10);
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  const embed = (secret = harness.secret) =>
    post(`${api.baseUrl}/embeddings`, { model: MODEL, input: 'Hello' }, { secret });
  const recorded = async (requestId: string | null) => {
    await api.deps.ledger.flush();
    const [row] = await harness.database.db.sql`
      SELECT status, error_code AS "errorCode", input_tokens AS "inputTokens", estimated,
        cost_nano_usd::text AS cost, operator_cost_nano_usd::text AS unbilled
      FROM requests WHERE id = ${requestId}`;
    return row;
  };

  /** Requests embeddings and reads nothing of the response. */
  function askUnread(): Socket {
    const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined).pause();
    open.push(socket);
    const body = JSON.stringify({ model: MODEL, input: 'Hello' });
    socket.write(
      `POST /v1/embeddings HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${harness.secret}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    return socket;
  }

  it('arrives byte by byte as the provider sent it, and is billed exactly', async () => {
    const body = embeddings(3 * MIB);
    harness.provider.next(replay(body));
    const response = await embed();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(body.length));
    expect(response.headers.get('x-tollgate-cost')).toBe('0.001234');
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
    expect(await recorded(response.headers.get('x-request-id'))).toMatchObject({
      status: 200,
      inputTokens: 1_234,
      estimated: false,
      cost: '1234000',
      unbilled: '0',
    });
  });

  it('has its errors redacted', async () => {
    const secret = 'sk-live-0123456789abcdef';
    const body = embeddings(MIB, { note: { error: { message: `The key ${secret} is wrong` } } });
    harness.provider.next(replay(body));
    const response = await embed();
    const text = await response.text();
    expect(text).toContain('"The key [redacted] is wrong"');
    expect(text).not.toContain(secret);
    expect(JSON.parse(text)).toMatchObject({ usage: { prompt_tokens: 1_234 } });
  });

  it.each([
    ['an error', Buffer.from(JSON.stringify({ error: { message: 'It crashed.' }, x: 'x'.repeat(MIB) }))],
    ['not JSON', Buffer.from('x'.repeat(MIB))],
  ])('that is %s is a failure of the provider', async (_name, body) => {
    const { secret } = await createKeyFixture(
      harness.database.db,
      (await createAccountFixture(harness.database.db)).accountId,
    );
    harness.provider.always(replay(body), { path: '/v1/embeddings' });
    const response = await embed(secret);
    expect(response.status).toBe(502);
    expect((await readJson<ErrorBody>(response)).error.code).toBe('upstream_error');
  });

  it('is translated like a small one', async () => {
    const ask = async (words: number) => {
      harness.provider.next({ answer: { words } });
      const messages = [{ role: 'user', content: 'Hello' }];
      const response = await post(
        `${api.baseUrl}/chat/completions`,
        { model: TRANSLATED, messages },
        { secret: harness.secret },
      );
      const { choices, usage, ...rest } = await readJson<{
        choices: { message: { content: string } }[];
        usage: { completion_tokens: number };
      }>(response);
      const row = await recorded(response.headers.get('x-request-id'));
      const text = choices[0]?.message.content ?? '';
      return {
        text,
        tokens: usage.completion_tokens,
        members: Object.keys(rest),
        cost: Number(row?.['cost']),
      };
    };
    const small = await ask(10);
    const large = await ask(100_000);
    expect(large.text.length).toBeGreaterThan(256 * 1024);
    expect(large.text.startsWith(small.text.slice(0, 20))).toBe(true);
    expect(large.tokens).toBe(100_000);
    expect(large.members).toEqual(small.members);
    expect(large.cost - small.cost).toBe((100_000 - 10) * 5_000);
  });

  it('keeps its memory reserved while it is not read: the account gets 503, others are served', async () => {
    harness.provider.always(replay(embeddings(20 * MIB)));
    const { budget } = api.deps.largeAnswers;
    for (let held = 1; held <= 3; held++) {
      askUnread();
      await expect.poll(() => budget.usedBytes, { timeout: 15_000 }).toBeGreaterThan(held * 20 * MIB - 1);
      await expect.poll(() => api.deps.inFlight.size, { timeout: 15_000 }).toBe(0);
    }
    const asked = harness.provider.requests.length;
    const refused = await embed();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect((await readJson<ErrorBody>(refused)).error).toMatchObject({ code: 'gateway_overloaded' });
    expect(harness.provider.requests.length).toBe(asked + 1);
    const row = await recorded(refused.headers.get('x-request-id'));
    expect(row).toMatchObject({ status: 503, errorCode: 'gateway_overloaded', cost: '0' });
    expect(Number(row?.['unbilled'])).toBeGreaterThan(0);
    expect(budget.usedBytes).toBeLessThanOrEqual(budget.accountBytes);
    // There is still no room for such a response, so the next request is not sent, nor is one of a model that may write much.
    const early = await embed();
    expect(early.status).toBe(503);
    expect(early.headers.get('retry-after')).toBe('2');
    const messages = [{ role: 'user', content: 'Hello' }];
    const say = (more: object) =>
      post(
        `${api.baseUrl}/chat/completions`,
        { model: MODEL, messages, ...more },
        { secret: harness.secret },
      );
    expect((await say({ n: 8 })).status).toBe(503);
    expect((await say({ max_tokens: 50, logprobs: true })).status).toBe(503);
    expect(harness.provider.requests.length).toBe(asked + 1);
    expect(await recorded(early.headers.get('x-request-id'))).toMatchObject({
      errorCode: 'gateway_overloaded',
      cost: '0',
      unbilled: '0',
    });
    // Small responses and streams need no memory.
    harness.provider.reset();
    expect((await say({ max_tokens: 50 })).status).toBe(200);
    const stream = await say({ stream: true });
    expect(stream.status).toBe(200);
    await stream.text();
    const other = await createAccountFixture(harness.database.db);
    const { secret } = await createKeyFixture(harness.database.db, other.accountId);
    harness.provider.next(replay(embeddings(MIB)));
    const served = await embed(secret);
    // The route's breaker would open after the first failure.
    expect(served.status).toBe(200);
    await served.arrayBuffer();
    for (const socket of open.splice(0)) socket.destroy();
    await expect.poll(() => budget.usedBytes).toBe(0);
    expect((await embed()).status).toBe(200);
  }, 60_000);

  it('is billed exactly if the caller disconnects while a thread reads it', async () => {
    harness.provider.next(replay(embeddings(5 * MIB)));
    const { largeAnswers, drains, inFlight, ledger } = api.deps;
    const socket = askUnread();
    const read = largeAnswers.read.bind(largeAnswers);
    vi.spyOn(largeAnswers, 'read').mockImplementationOnce(async (...job) => {
      socket.destroy();
      await expect.poll(() => drains.size).toBe(1);
      return read(...job);
    });
    await expect.poll(() => harness.provider.requests[0]?.outcome, { timeout: 5_000 }).toBe('complete');
    await expect.poll(() => inFlight.size, { timeout: 5_000 }).toBe(0);
    await ledger.flush();
    const [last] = await harness.database.db.sql<{ id: string }[]>`
      SELECT id FROM requests ORDER BY started_at DESC LIMIT 1`;
    expect(await recorded(last?.id ?? null)).toMatchObject({
      status: 499,
      errorCode: 'client_gone',
      inputTokens: 1_234,
      estimated: false,
      cost: '1234000',
    });
  });

  it('is answered and settled once if it is cut while a thread reads it', async () => {
    const keyed = await harness.createKey();
    harness.provider.next(replay(embeddings(5 * MIB)));
    const { largeAnswers, inFlight, upstreams } = api.deps;
    const read = largeAnswers.read.bind(largeAnswers);
    const succeed = vi.spyOn(upstreams.breakers, 'succeed');
    const hasRead = Promise.withResolvers<void>();
    vi.spyOn(largeAnswers, 'read').mockImplementationOnce((...job) => {
      const reading = read(...job).finally(() => hasRead.resolve());
      inFlight.stopAll({ code: 'shutting_down', message: 'It ends.' });
      return reading;
    });
    const response = await embed(keyed.secret);
    expect(response.status).toBe(503);
    expect((await readJson<ErrorBody>(response)).error.code).toBe('shutting_down');
    const row = await recorded(response.headers.get('x-request-id'));
    expect(row).toMatchObject({ status: 503, errorCode: 'shutting_down', cost: '0' });
    expect(Number(row?.['unbilled'])).toBeGreaterThan(0);
    await hasRead.promise;
    await sleep(50);
    // The result of the thread ends nothing a second time.
    expect(succeed).not.toHaveBeenCalled();
    succeed.mockRestore();
  });
});
