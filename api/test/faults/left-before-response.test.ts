/** A caller that disconnects before the provider responds has caused the provider's work. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_USAGE } from '@tollgate/core/money/money';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import type { Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES } from '../gateway-fixture.ts';

const UNREACHABLE = 'unreachable-model';
const PLAIN = 'plain-model';
const harness = await createHarness([MODEL, PLAIN]);
const { provider, database } = harness;
const { sql } = database.db;
await sql`UPDATE models SET context_tokens = 200000, capabilities = '{tools}' WHERE id = ${PLAIN}`;
/** Accepts connections, and never answers the TLS handshake. */
const silent = createServer().listen(0, '127.0.0.1');
await once(silent, 'listening');
const { port } = silent.address() as AddressInfo;
await ensureBuiltIn(database.db, {
  name: 'silent',
  dialect: 'openai-chat',
  baseUrl: `https://127.0.0.1:${port}/v1`,
  credentialEnv: null,
  preset: null,
  models: [{ id: UNREACHABLE, upstreamModel: null, facts: {}, prices: PRICES }],
});
const DRAIN_MS = 1_000;
const api = await startTestApi({
  db: database.db,
  runtime: 'node',
  attempts: 3,
  drainAfterDisconnectMs: DRAIN_MS,
});
afterAll(async () => {
  await api.close();
  silent.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());

const MESSAGES = [{ role: 'user', content: 'Say hello to the world please' }];
const MCP = {
  mcp_servers: [{ type: 'url', url: 'https://mcp.example/sse', name: 'x' }],
  tools: [{ type: 'mcp_toolset', mcp_server_name: 'x' }],
};

interface Row {
  status: number;
  inputTokens: number;
  outputTokens: number;
  estimated: boolean;
  cost: bigint;
  held: bigint;
  unbilled: bigint;
}

interface Leaving {
  /** Disconnects after this many milliseconds. */
  afterMs?: number;
  path?: string;
  /** Further members of the request. */
  more?: object;
  /** The database decides about the hold only after this many milliseconds. */
  holdDelayMs?: number;
}

/** Locks what the hold of a key changes. */
function delayHold(keyId: string, delayMs: number): Promise<unknown> {
  return sql.begin(async (transaction) => {
    await transaction`SELECT 1 FROM key_totals WHERE key_id = ${keyId} FOR UPDATE`;
    await sleep(delayMs);
  });
}

/** Asks with a new key, and disconnects. */
async function leave(
  script: Script,
  { afterMs = 500, path = '/chat/completions', more, holdDelayMs = 0 }: Leaving = {},
): Promise<Row> {
  const { keyId, secret } = await harness.createKey({ maxBudgetUsd: '5' });
  const delay = holdDelayMs === 0 ? null : delayHold(keyId, holdDelayMs);
  provider.next(script);
  const leaving = new AbortController();
  const asked = fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: PLAIN, max_tokens: 1_000, messages: MESSAGES, ...more }),
    signal: leaving.signal,
  }).catch(() => null);
  await sleep(afterMs);
  leaving.abort();
  await asked;
  await delay;
  const find = () => sql<Row[]>`
    SELECT status, input_tokens AS "inputTokens", output_tokens AS "outputTokens", estimated, cost_nano_usd AS cost,
      held_nano_usd AS held, operator_cost_nano_usd AS unbilled
    FROM requests WHERE key_id = ${keyId} AND state = 'settled'`;
  await expect.poll(async () => (await find()).length, { timeout: 10_000 }).toBe(1);
  const [row] = await find();
  if (row === undefined) throw new Error('The request was not settled');
  return row;
}

describe.each(['/chat/completions', '/messages'])('a request to %s that its caller left', (path) => {
  it('is billed its input and the likely output if no response arrives in time', async () => {
    const row = await leave({ headersDelayMs: 8_000 }, { path });
    expect(row).toMatchObject({ status: 499, estimated: true });
    expect(row.inputTokens).toBeGreaterThan(5);
    // 1.5 s at 40 tokens per second, or at the speed of the responses so far.
    expect(row.outputTokens).toBeGreaterThan(20);
    expect(row.outputTokens).toBeLessThanOrEqual(1_000);
    expect(row.cost).toBe(BigInt(row.inputTokens) * 1_000n + BigInt(row.outputTokens) * 5_000n);
    expect(row.cost).toBeLessThanOrEqual(row.held);
  });

  it.each<[string, Script]>([
    ['refuses it', { headersDelayMs: 800, error: { status: 400 } }],
    ['fails', { headersDelayMs: 800, error: { status: 500 } }],
    [
      'refuses it, and does not end the error',
      { error: { status: 400 }, headersDelayMs: 800, stallAfterBytes: 5 },
    ],
    ['breaks the connection', { headersDelayMs: 800, cutBeforeHeaders: true }],
  ])('is not billed if the provider %s in time', async (_, script) => {
    expect(await leave(script, { path })).toMatchObject({ status: 499, cost: 0n });
  });
});

it('bills no output that a stream of a model without reasoning would have shown', async () => {
  const row = await leave({ stallBeforeHeaders: true }, { more: { stream: true } });
  expect(row).toMatchObject({ status: 499, estimated: true, outputTokens: 0 });
  expect(row.cost).toBe(BigInt(row.inputTokens) * 1_000n);
  expect(row.unbilled).toBeGreaterThan(0n);
});

it('records the input that tools of the provider may have read as unbilled', async () => {
  const row = await leave({ stallBeforeHeaders: true }, { path: '/messages', more: MCP });
  expect(row.cost).toBeGreaterThan(0n);
  // One call in 1.5 seconds, which may fill the context.
  expect(row.unbilled).toBeGreaterThanOrEqual(200_000n * 1_000n);
  expect(row.unbilled).toBeLessThan(500_000n * 1_000n);
});

it('bills the output of a whole response that has only begun by its time', async () => {
  const usage = { ...NO_USAGE, inputTokens: 10, outputTokens: 900 };
  const row = await leave({ answer: { text: 'hello', usage }, stallAfterBytes: 20 });
  expect(row).toMatchObject({ status: 499, estimated: true });
  expect(row.outputTokens).toBeGreaterThan(20);
});

it('bills nothing if the hold is not granted in time: the work of the provider is unbilled', async () => {
  const row = await leave({ stallBeforeHeaders: true }, { holdDelayMs: 500 + DRAIN_MS + 1_000 });
  expect(provider.requests).toHaveLength(1);
  expect(row).toMatchObject({ status: 499, cost: 0n, inputTokens: 0, outputTokens: 0, estimated: false });
  // At least the output of 1.5 s at 40 tokens per second, or at the speed of the responses so far.
  expect(row.unbilled).toBeGreaterThan(20n * 5_000n);
});

it('bills nothing for the time between two attempts', async () => {
  // Both routes fail, and the first is tried again after two seconds.
  const busy: Script = { error: { status: 503, retryAfterSeconds: 2 } };
  provider.next(busy);
  const row = await leave(busy);
  expect(provider.requests).toHaveLength(2);
  expect(row).toMatchObject({ status: 499, cost: 0n, inputTokens: 0, outputTokens: 0 });
});

it('bills nothing if the provider has not accepted the connection yet', async () => {
  const row = await leave({}, { more: { model: UNREACHABLE } });
  expect(row).toMatchObject({ status: 499, cost: 0n, unbilled: 0n });
});
