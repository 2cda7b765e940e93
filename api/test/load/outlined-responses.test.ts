/** Large responses that are not streams, of which the gateway has only an outline: they are billed by all that came. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import type { Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES } from '../gateway-fixture.ts';
import { withLogprobs } from './with-logprobs.fixture.ts';

const MIB = 1024 * 1024;
const RESPONSES_MODEL = 'of-responses';
const IMAGE_CALL_PRICE = 40_000_000;
const IMAGES_COST = 10 * 1_000 + 5_000 * 5_000 + 6 * IMAGE_CALL_PRICE;

const harness = await createHarness();
const { provider, database } = harness;
await ensureBuiltIn(database.db, {
  name: 'responses',
  dialect: 'openai-responses',
  baseUrl: `${provider.origin}/v1`,
  credentialEnv: null,
  preset: null,
  models: [{ id: RESPONSES_MODEL, upstreamModel: null, facts: {}, prices: PRICES }],
});
const api = await startTestApi({
  db: database.db,
  runtime: 'node',
  responseMemoryBytes: 40 * MIB,
  attempts: 1,
  drainAfterDisconnectMs: 6_000,
});
const { budget, maxBytes } = api.deps.largeAnswers;
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());

const REQUESTS = {
  '/chat/completions': {
    model: MODEL,
    max_tokens: 100_000,
    messages: [{ role: 'user', content: 'Hello' }],
  },
  '/responses': {
    model: RESPONSES_MODEL,
    input: 'Draw.',
    max_output_tokens: 10_000,
    max_tool_calls: 10,
    tools: [{ type: 'image_generation' }],
  },
};

/** Six images, each by a call that is billed. */
function withImages(bytesEach: number): string {
  const item = {
    type: 'image_generation_call',
    status: 'completed',
    result: 'iVBORw0K'.repeat(bytesEach / 8),
  };
  return JSON.stringify({
    id: 'r',
    object: 'response',
    model: RESPONSES_MODEL,
    status: 'completed',
    output: Array.from({ length: 6 }, (_, at) => ({ id: `ig_${at}`, ...item })),
    usage: { input_tokens: 10, output_tokens: 5_000, total_tokens: 5_010 },
  });
}

interface Asked {
  path: keyof typeof REQUESTS;
  body: string;
  delivery?: Partial<Script>;
  /** True: the caller disconnects before the response. */
  leaves: boolean;
}

/** @returns the record of a request */
async function ask({ path, body, delivery = {}, leaves }: Asked) {
  const { accountId } = await createAccountFixture(database.db, { planId: 'standard' });
  await creditBalance(database.db, { accountId, amountNanoUsd: 100_000_000_000n });
  const { secret } = await createKeyFixture(database.db, accountId, { tpm: 4_000_000 });
  const delay = leaves ? { headersDelayMs: 200 } : {};
  provider.next({ replay: { body, contentType: 'application/json' }, ...delay, ...delivery });
  const disconnect = new AbortController();
  const asked = fetch(api.baseUrl + path, {
    method: 'POST',
    signal: disconnect.signal,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify(REQUESTS[path]),
  })
    .then((response) => response.arrayBuffer())
    .catch(() => null);
  if (leaves) {
    while (provider.requests.length === 0) await sleep(2);
    disconnect.abort();
  }
  await asked;
  await expect.poll(() => api.deps.inFlight.size, { timeout: 20_000 }).toBe(0);
  await api.deps.ledger.flush();
  const [row] = await database.db.sql`
    SELECT status, output_tokens AS output, estimated, cost_nano_usd::int AS cost,
      operator_cost_nano_usd::int AS unbilled
    FROM requests WHERE account_id = ${accountId}`;
  return row;
}

/** Takes most of the memory for responses while `work` runs. */
async function whileMemoryIsShort<Result>(work: () => Promise<Result>): Promise<Result> {
  const others = ['a', 'b', 'c'].map((account) => budget.open(account));
  try {
    for (const other of others) expect(other.grow(10 * MIB)).toBeNull();
    return await work();
  } finally {
    for (const other of others) other.release();
  }
}

describe('the calls of hosted tools in a large response', () => {
  it('are billed after the caller has disconnected, if memory is short', async () => {
    const body = withImages(2 * MIB);
    const record = await whileMemoryIsShort(() => ask({ path: '/responses', body, leaves: true }));
    expect(record).toMatchObject({ status: 499, estimated: false, cost: IMAGES_COST, unbilled: 0 });
  });

  it('are billed after the caller has disconnected, if it is larger than the gateway accepts', async () => {
    const body = withImages(Math.ceil(maxBytes / 6 / MIB + 1) * MIB);
    const record = await ask({ path: '/responses', body, leaves: true });
    expect(record).toMatchObject({ status: 499, estimated: false, cost: IMAGES_COST, unbilled: 0 });
  });

  it('are all recorded as unbilled if there is no memory for the response', async () => {
    const body = withImages(2 * MIB);
    const record = await whileMemoryIsShort(() => ask({ path: '/responses', body, leaves: false }));
    expect(record).toMatchObject({ status: 503, cost: 0, unbilled: IMAGES_COST });
  });
});

describe('a large response that is not read to its end', () => {
  it.each(['enough memory', 'short memory'])('is billed by the text that came: %s', async (memory) => {
    const tokens = 8_000;
    const asked: Asked = {
      path: '/chat/completions',
      body: withLogprobs(tokens),
      delivery: { split: 65_536, intervalMs: 80 },
      leaves: true,
    };
    const record = await (memory === 'short memory' ? whileMemoryIsShort(() => ask(asked)) : ask(asked));
    expect(provider.requests[0]?.outcome).not.toBe('complete');
    expect(record).toMatchObject({ status: 499, estimated: true });
    expect(record?.['output']).toBeGreaterThan(tokens);
    expect(record?.['output']).toBeLessThan(2 * tokens);
  });
});
