/** Responses that are not streams, larger than the gateway keeps: they cost the provider's work only once, and are billed by it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readProviderHealth } from '@tollgate/db/queries/operator/provider-health';
import { sumRequests } from '@tollgate/db/queries/usage/providers/sum-requests';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import type { Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL } from '../gateway-fixture.ts';
import { withLogprobs } from './with-logprobs.fixture.ts';

const MIB = 1024 * 1024;
const INPUT_PRICE = 1_000;
const OUTPUT_PRICE = 5_000;

const harness = await createHarness();
const { provider, database } = harness;
const api = await startTestApi({
  db: database.db,
  runtime: 'node',
  responseMemoryBytes: 40 * MIB,
  attempts: 4,
  breaker: { failures: 1, openMs: 60_000 },
  drainAfterDisconnectMs: 10_000,
  timeouts: { idleMs: 500 },
});
const { budget, maxBytes } = api.deps.largeAnswers;
const OVERSIZE_MIB = Math.ceil(maxBytes / MIB) + 1;
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());
afterEach(async () => {
  while (budget.usedBytes > 0) await sleep(10);
});

/** A caller of a plan that charges money. */
async function createCaller() {
  const { accountId } = await createAccountFixture(database.db, { planId: 'standard' });
  await creditBalance(database.db, { accountId, amountNanoUsd: 100_000_000_000n });
  const { secret } = await createKeyFixture(database.db, accountId, { tpm: 400_000 });
  return { accountId, secret };
}

const replay = (body: string | Buffer) => ({ replay: { body, contentType: 'application/json' } });
const CHAT = { model: MODEL, max_tokens: 10_000, messages: [{ role: 'user', content: 'Draw.' }] };

/** A chat completion with an image, as Gemini returns it. */
function withImage(mib: number): string {
  const image = { type: 'image_url', image_url: { url: `data:,${'iVBORw0K'.repeat(mib * (MIB / 8))}` } };
  const message = { role: 'assistant', content: 'Here.', images: [image] };
  return JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    model: MODEL,
    choices: [{ index: 0, finish_reason: 'stop', message }],
    usage: { prompt_tokens: 20, completion_tokens: 1_300, total_tokens: 1_320 },
  });
}

/** Embeddings of 300,000 tokens with about the given number of bytes. */
function embeddings(bytes: number, dimensions = 512, more = '[]'): Buffer {
  const vector = JSON.stringify(
    Array.from({ length: dimensions }, (_, at) => Math.round(Math.sin(at) * 1e9) / 1e10),
  );
  const entry = `{"object":"embedding","index":0,"embedding":${vector}}`;
  const data = Array.from({ length: Math.ceil(bytes / entry.length) }, () => entry).join(',');
  const usage = '{"prompt_tokens":300000,"total_tokens":300000}';
  return Buffer.from(`{"object":"list","data":[${data}],"more":${more},"model":"${MODEL}","usage":${usage}}`);
}

async function readRecord(accountId: string) {
  await expect.poll(() => api.deps.inFlight.size, { timeout: 9_000 }).toBe(0);
  await api.deps.ledger.flush();
  const [row] = await database.db.sql`
    SELECT status, input_tokens AS input, output_tokens AS output, estimated, cost_nano_usd::int AS cost,
      operator_cost_nano_usd::int AS unbilled, attempts
    FROM requests WHERE account_id = ${accountId} ORDER BY started_at DESC LIMIT 1`;
  return row;
}

interface Leaving {
  /** Disconnects once the provider has sent this many bytes. */
  sentBytes?: number;
  delivery?: Partial<Script>;
  path?: '/chat/completions' | '/embeddings';
}

/** Sends a request, disconnects, and waits for the record. */
async function leave(
  body: string | Buffer,
  { sentBytes = 0, delivery = {}, path = '/chat/completions' }: Leaving = {},
) {
  const caller = await createCaller();
  provider.next({ ...replay(body), ...(sentBytes === 0 ? { headersDelayMs: 300 } : {}), ...delivery });
  const disconnect = new AbortController();
  const request = path === '/embeddings' ? { model: MODEL, input: 'Hello' } : CHAT;
  const asked = fetch(api.baseUrl + path, {
    method: 'POST',
    signal: disconnect.signal,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${caller.secret}` },
    body: JSON.stringify(request),
  }).catch(() => null);
  while ((provider.requests[0]?.bytesSent ?? -1) < sentBytes) await sleep(2);
  disconnect.abort();
  await asked;
  return { record: await readRecord(caller.accountId), caller };
}

const IMAGE_COST = 20 * INPUT_PRICE + 1_300 * OUTPUT_PRICE;
const isOpen = () => api.deps.upstreams.breakers.reports().some(({ state }) => state !== 'closed');

describe('a caller that disconnects from a large response that is not a stream', () => {
  it.each([
    [3, {}],
    [5, {}],
    [20, { cutBy: 'clean-end' } as const],
  ])('pays for all of it: %i MiB, before its beginning', async (mib, delivery) => {
    const { record } = await leave(withImage(mib), { delivery });
    expect(provider.requests[0]?.outcome).toBe('complete');
    expect(record).toEqual({
      status: 499,
      input: 20,
      output: 1_300,
      estimated: false,
      cost: IMAGE_COST,
      unbilled: 0,
      attempts: null,
    });
  });

  it('pays for all of it in its middle', async () => {
    const { record } = await leave(withImage(8), {
      sentBytes: 6 * MIB,
      delivery: { split: 65_536, intervalMs: 5 },
    });
    expect(record).toMatchObject({ cost: IMAGE_COST, unbilled: 0, attempts: null });
  });

  it.each([1, 5])('pays for the reported tokens, whatever else is in it: %i MiB', async (mib) => {
    const { record } = await leave(withLogprobs(mib * 1_000));
    expect(record).toMatchObject({ output: mib * 1_000, estimated: false, unbilled: 0 });
  });

  it('pays for embeddings up to its hold, and the rest is recorded as unbilled', async () => {
    const { record } = await leave(embeddings(5 * MIB), { path: '/embeddings' });
    expect(record).toMatchObject({ status: 499, input: 300_000, attempts: null });
    expect(Number(record?.['cost']) + Number(record?.['unbilled'])).toBe(300_000 * INPUT_PRICE);
  });

  it.each([
    ['an image', withImage(5), IMAGE_COST],
    ['log probabilities', withLogprobs(5_000), 20 * INPUT_PRICE + 5_000 * OUTPUT_PRICE],
  ])('pays for all of it if memory is short: %s', async (_, body, cost) => {
    const others = ['a', 'b', 'c'].map((account) => budget.open(account));
    for (const other of others) expect(other.grow(10 * MIB)).toBeNull();
    try {
      const { record } = await leave(body);
      expect(provider.requests[0]?.outcome).toBe('complete');
      expect(record).toMatchObject({ status: 499, estimated: false, cost, unbilled: 0 });
      expect(budget.usedBytes).toBe(30 * MIB);
    } finally {
      for (const other of others) other.release();
    }
  });

  it('pays for all of it if it is larger than the gateway accepts, which is no failure of the provider', async () => {
    const readHealth = async () => {
      await sumRequests(database.db, Date.now());
      return readProviderHealth(database.db, new Date(Date.now() - 60_000));
    };
    const before = await readHealth();
    const { record } = await leave(withImage(OVERSIZE_MIB));
    expect(record).toMatchObject({ status: 499, estimated: false, cost: IMAGE_COST, unbilled: 0 });
    const after = await readHealth();
    expect(after).not.toEqual([]);
    expect(after.map(({ failures }) => failures)).toEqual(before.map(({ failures }) => failures));
    expect(isOpen()).toBe(false);
  });

  it('pays an estimate if the rest does not arrive', async () => {
    const { record } = await leave(withImage(OVERSIZE_MIB), {
      delivery: { stallAfterBytes: maxBytes + 1_000 },
    });
    expect(record).toMatchObject({ status: 499, estimated: true });
    expect(record?.['cost']).toBeGreaterThan(0);
  });

  it('has used its tokens per minute', async () => {
    const { caller } = await leave(embeddings(5 * MIB), { path: '/embeddings' });
    const response = await post(`${api.baseUrl}/embeddings`, { model: MODEL, input: 'Hello' }, caller);
    expect(Number(response.headers.get('x-ratelimit-remaining-tokens'))).toBeLessThan(100_000);
  });
});

describe('a response that is larger than the gateway accepts', () => {
  it.each<[string, () => Buffer, Partial<Script>]>([
    ['by its declared length', () => embeddings(maxBytes + 1), {}],
    ['by its bytes', () => embeddings(maxBytes + 1), { cutBy: 'clean-end' }],
    ['by its values', () => embeddings(MIB, 512, `[${'{},'.repeat(8_000_000)}{}]`), {}],
  ])('is requested once, and its whole cost is recorded as unbilled: %s', async (_, write, delivery) => {
    const { accountId, secret } = await createCaller();
    provider.always({ ...replay(write()), ...delivery });
    const response = await post(`${api.baseUrl}/embeddings`, { model: MODEL, input: 'Hello' }, { secret });
    expect(response.status).toBe(502);
    // OpenAI's and Anthropic's SDKs retry other responses with this status.
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect((await readJson<ErrorBody>(response)).error.message).toMatch('too large');
    expect(provider.requests).toHaveLength(1);
    expect(await readRecord(accountId)).toMatchObject({
      status: 502,
      cost: 0,
      unbilled: 300_000 * INPUT_PRICE,
      attempts: [{ outcome: 'too_large' }],
    });
    expect(isOpen()).toBe(false);
    expect(budget.usedBytes).toBe(0);
  });

  it('is refused for its size if the provider stops in its middle', async () => {
    const { accountId, secret } = await createCaller();
    provider.always({ ...replay(embeddings(maxBytes + MIB)), stallAfterBytes: maxBytes + 1_000 });
    const response = await post(`${api.baseUrl}/embeddings`, { model: MODEL, input: 'Hello' }, { secret });
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(provider.requests).toHaveLength(1);
    expect((await readRecord(accountId))?.['unbilled']).toBeGreaterThan(0);
  });
});

it('embeddings of 2,048 inputs with 3,072 dimensions are served', async () => {
  const roomy = await startTestApi({ db: database.db, runtime: 'node', responseMemoryBytes: 512 * MIB });
  try {
    const one = embeddings(1, 3_072);
    const body = embeddings(2_048 * (one.length - 110), 3_072);
    expect(body.length).toBeGreaterThan(76 * MIB);
    provider.next(replay(body));
    const response = await post(`${roomy.baseUrl}/embeddings`, { model: MODEL, input: 'Hello' }, harness);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-tollgate-cost')).toBe('0.30');
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
  } finally {
    await roomy.close();
  }
}, 120_000);
