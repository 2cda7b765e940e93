import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_USAGE } from '@tollgate/core/money/money';
import { revokeKey } from '@tollgate/db/queries/keys/keys';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL } from '../gateway-fixture.ts';

const QUIET_MODEL = 'quiet-model';
const PLAIN_MODEL = 'plain-model';
const BUSY_MODEL = 'busy-model';
const SILENT_MODEL = 'silent-model';
const harness = await createHarness([MODEL, QUIET_MODEL, PLAIN_MODEL, BUSY_MODEL, SILENT_MODEL]);
const { provider, database } = harness;
const api = await startTestApi({
  db: database.db,
  runtime: 'node',
  drainAfterDisconnectMs: 200,
  attempts: 3,
});
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());

const messages = [{ role: 'user', content: 'Think hard, say little.' }];
const ask = (secret: string, signal: AbortSignal | null = null, more: object = {}) =>
  fetch(`${api.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: MODEL, max_tokens: 4_000, messages, stream: true, ...more }),
    signal,
  });

interface Row {
  status: number;
  output: number;
  cost: bigint;
  unbilled: bigint;
}

/** The only request of a key, after its settlement. */
async function getRow(keyId: string): Promise<Row> {
  const find = () => database.db.sql<Row[]>`
    SELECT status, output_tokens AS output, cost_nano_usd AS cost, operator_cost_nano_usd AS unbilled
    FROM requests WHERE key_id = ${keyId} AND state = 'settled'`;
  await expect.poll(async () => (await find()).length, { timeout: 5_000 }).toBe(1);
  const [row] = await find();
  if (row === undefined) throw new Error('The request was not settled');
  return row;
}

it('a response with estimated tokens does not count for the speed of its model', async () => {
  // Slower than the default speed.
  provider.next({ answer: { words: 20, usage: null }, intervalMs: 100 });
  await (await ask(harness.secret)).text();
  const { keyId, secret } = await harness.createKey();
  provider.next({ answer: { words: 30 }, stallAfterPieces: 2 });
  const leaving = new AbortController();
  const answer = await ask(secret, leaving.signal);
  await answer.body?.getReader().read();
  await sleep(1_000);
  leaving.abort();
  // The default speed of an unknown model: 40 tokens per second, at 5,000 nano-dollars each. Nothing shows that it reasons.
  const row = await getRow(keyId);
  expect(row.output).toBeLessThan(10);
  expect(row.unbilled).toBeGreaterThanOrEqual(BigInt(40 - row.output) * 5_000n);
});

it("the likely output of a provider that times out before its first byte is at the operator's cost", async () => {
  const hasty = await startTestApi({ db: database.db, runtime: 'node', timeouts: { firstByteMs: 1_500 } });
  try {
    const { keyId, secret } = await harness.createKey();
    provider.next({ stallBeforeHeaders: true });
    const answer = await fetch(`${hasty.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: MODEL, max_tokens: 4_000, messages }),
    });
    expect(answer.status).toBe(504);
    const row = await getRow(keyId);
    expect(row).toMatchObject({ status: 504, cost: 0n });
    // About 60 tokens at 5,000 nano-dollars each.
    expect(row.unbilled).toBeGreaterThan(200_000n);
  } finally {
    await hasty.close();
  }
});

it('a provider that was not connected before the request timed out costs the operator nothing', async () => {
  const { sql } = database.db;
  // It accepts connections, and never answers the TLS handshake.
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const baseUrl = `https://127.0.0.1:${address.port}/v1`;
  await sql`INSERT INTO providers (id, name, dialect, base_url) VALUES ('prov_s', 'silent', 'openai-chat', ${baseUrl})`;
  await sql`DELETE FROM routes WHERE model_id = ${SILENT_MODEL}`;
  await sql`INSERT INTO routes (id, model_id, provider_id, priority) VALUES ('route_s', ${SILENT_MODEL}, 'prov_s', 0)`;
  const hasty = await startTestApi({ db: database.db, runtime: 'node', timeouts: { totalMs: 1_000 } });
  try {
    const { keyId, secret } = await harness.createKey();
    const answer = await fetch(`${hasty.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: SILENT_MODEL, max_tokens: 4_000, messages }),
    });
    expect(answer.status).toBe(504);
    expect(await getRow(keyId)).toMatchObject({ status: 504, cost: 0n, unbilled: 0n });
  } finally {
    await hasty.close();
    silent.close();
  }
});

it("the provider's work for a request whose key is revoked before the response is billed to its account", async () => {
  const { keyId, secret } = await harness.createKey();
  provider.next({ stallBeforeHeaders: true });
  const answer = ask(secret);
  await expect.poll(() => provider.requests.length).toBe(1);
  await revokeKey(database.db, { keyId, accountId: null, actorUserId: null });
  expect((await answer).status).toBe(401);
  const row = await getRow(keyId);
  expect(row.status).toBe(401);
  expect(row.cost).toBeGreaterThan(0n);
});

it('for a stream that was interrupted, the operator pays hidden reasoning and the caller the visible output', async () => {
  const usage = { ...NO_USAGE, inputTokens: 20, outputTokens: 2_000 };
  provider.next({ answer: { words: 5, usage }, intervalMs: 60 });
  await (await ask(harness.secret)).text();
  const { keyId, secret } = await harness.createKey();
  provider.next({ answer: { words: 50, usage }, cutAfterBytes: 1_500, split: 'natural', intervalMs: 60 });
  expect(await (await ask(secret)).text()).toContain('"error"');
  const row = await getRow(keyId);
  expect(row.status).toBe(200);
  expect(row.output).toBeLessThan(50);
  expect(row.cost).toBeGreaterThan(0n);
  // Hundreds of tokens at 5,000 nano-dollars each.
  expect(row.unbilled).toBeGreaterThan(500_000n);
});

it.each([
  { asked: {}, atLeast: 120 },
  { asked: { reasoning_effort: 'high' }, atLeast: 300 },
])(
  'a caller whose earlier responses had no reasoning pays for the silence of one that it breaks off: $asked',
  async ({ asked, atLeast }) => {
    const { secret } = await harness.createKey();
    for (let index = 0; index < 5; index += 1) {
      provider.next({
        answer: { words: 30, usage: { ...NO_USAGE, inputTokens: 20, outputTokens: 40 } },
        intervalMs: 10,
      });
      await (await ask(secret, null, { model: QUIET_MODEL })).text();
    }
    const { keyId, secret: leaver } = await harness.createKey();
    provider.next({ answer: { words: 6 }, firstByteDelayMs: 3_000, stallAfterPieces: 6 });
    const leaving = new AbortController();
    const answer = await ask(leaver, leaving.signal, { model: QUIET_MODEL, ...asked });
    await answer.body?.getReader().read();
    leaving.abort();
    const row = await getRow(keyId);
    expect(row.status).toBe(499);
    expect(row.output).toBeGreaterThanOrEqual(atLeast);
    expect(row.output).toBeLessThanOrEqual(4_000);
  },
);

it('a caller does not pay for the time that the gateway waits before a retry', async () => {
  const { keyId, secret } = await harness.createKey();
  // One for each route of the model.
  for (let failures = 0; failures < 2; failures += 1)
    provider.next({ error: { status: 503, retryAfterSeconds: 2 } });
  provider.next({ answer: { words: 6 }, stallAfterPieces: 6 });
  const leaving = new AbortController();
  const asked = { model: BUSY_MODEL, reasoning_effort: 'high' };
  const answer = await ask(secret, leaving.signal, asked);
  expect(provider.requests).toHaveLength(3);
  await answer.body?.getReader().read();
  leaving.abort();
  // Two seconds without text would be 80 tokens or more.
  expect((await getRow(keyId)).output).toBeLessThan(40);
});

it('a caller of a model that does not reason pays for its text only, and the operator for the rest', async () => {
  await database.db.sql`UPDATE models SET capabilities = '{tools}' WHERE id = ${PLAIN_MODEL}`;
  await api.deps.catalogue.load();
  const { keyId, secret } = await harness.createKey();
  provider.next({ answer: { words: 6 }, firstByteDelayMs: 2_000, stallAfterPieces: 6 });
  const leaving = new AbortController();
  const answer = await ask(secret, leaving.signal, { model: PLAIN_MODEL, reasoning_effort: 'high' });
  await answer.body?.getReader().read();
  leaving.abort();
  const row = await getRow(keyId);
  expect(row.output).toBeLessThan(20);
  // About 80 tokens at 5,000 nano-dollars each.
  expect(row.unbilled).toBeGreaterThan(250_000n);
});
