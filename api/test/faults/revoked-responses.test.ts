/** A revoked key ends its caller's request at once. A provider that was called is read on, as after a disconnect. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NO_USAGE } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { revokeKey } from '@tollgate/db/queries/keys/keys';
import type { Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { get, post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES } from '../gateway-fixture.ts';

const harness = await createHarness();
const { provider, database } = harness;
const { sql } = database.db;
const start = (drainAfterDisconnectMs: number) =>
  startTestApi({ db: database.db, runtime: 'node', drainAfterDisconnectMs });
const api = await start(5_000);
const impatient = await start(0);
afterAll(async () => {
  await api.close();
  await impatient.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());

/** Five visible words and much reasoning. */
const USAGE = { ...NO_USAGE, inputTokens: 20, outputTokens: 2_000 };
const ENDPOINTS = ['/chat/completions', '/messages'];

interface Row {
  status: number;
  errorCode: string | null;
  inputTokens: number;
  outputTokens: number;
  estimated: boolean;
  cost: bigint;
  unbilled: bigint;
}

interface Asked {
  at?: TestApi;
  path?: string;
  stream?: boolean;
  /** The key is revoked after this text, or after this many milliseconds. */
  after: string | number;
  revoke?: (keyId: string) => Promise<unknown>;
  signal?: AbortSignal;
}

const revoke = (keyId: string) => revokeKey(database.db, { keyId, accountId: null, actorUserId: null });

/** Asks with a new key, revokes it, and waits for the end of the response and for the settlement. */
async function ask(script: Script, { at = api, path = ENDPOINTS[0], stream = true, after, ...more }: Asked) {
  const { keyId, secret } = await harness.createKey({ maxBudgetUsd: '5' });
  provider.next(script);
  const end = more.revoke ?? revoke;
  const asked = fetch(`${at.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({
      model: MODEL,
      max_tokens: 4_000,
      messages: [{ role: 'user', content: 'Think hard, say little.' }],
      stream,
    }),
    signal: more.signal ?? null,
  });
  let endedAtMs = 0;
  const noteEnd = async () => {
    endedAtMs = performance.now();
    await end(keyId);
  };
  if (typeof after === 'number') {
    await expect.poll(() => provider.requests.length).toBe(1);
    await sleep(after);
    await noteEnd();
  }
  const response = await asked;
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (typeof after === 'string' && endedAtMs === 0 && text.includes(after)) await noteEnd();
    }
  } catch (error) {
    if (more.signal === undefined) throw error;
  }
  const waitedMs = performance.now() - endedAtMs;
  const find = () => sql<Row[]>`
    SELECT status, error_code AS "errorCode", input_tokens AS "inputTokens", output_tokens AS "outputTokens", estimated,
      cost_nano_usd AS cost, operator_cost_nano_usd AS unbilled
    FROM requests WHERE key_id = ${keyId} AND state = 'settled'`;
  await expect.poll(async () => (await find()).length, { timeout: 10_000 }).toBe(1);
  const [row] = await find();
  return { status: response.status, text, waitedMs, row, settledMs: performance.now() - endedAtMs };
}

describe.each(ENDPOINTS)('a response of %s whose key is revoked', (path) => {
  it('ends at once, and the usage at the end of the stream is billed', async () => {
    const script: Script = { answer: { words: 30, usage: USAGE }, intervalMs: 60 };
    const { text, waitedMs, row } = await ask(script, { path, after: 'word15' });
    expect(waitedMs).toBeLessThan(1_000);
    expect(text).toContain('revoked');
    expect(text).not.toContain('word29');
    expect(text).not.toMatch(/\[DONE\]|message_stop/);
    expect(row).toEqual({
      status: 200,
      errorCode: 'revoked_api_key',
      inputTokens: 20,
      outputTokens: 2_000,
      estimated: false,
      cost: computeCost(USAGE, PRICES),
      unbilled: 0n,
    });
    expect(provider.requests.at(-1)?.outcome).toBe('complete');
  });

  it.each([true, false])('is billed if it begins only after that (stream: %s)', async (stream) => {
    const script: Script = { answer: { words: 5, usage: USAGE }, headersDelayMs: 1_500 };
    const { status, text, waitedMs, row } = await ask(script, { path, stream, after: 100 });
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining('revoked') } });
    expect(waitedMs).toBeLessThan(1_000);
    expect(row).toMatchObject({ status: 401, errorCode: 'revoked_api_key', outputTokens: 2_000 });
    expect(row?.cost).toBe(computeCost(USAGE, PRICES));
  });

  it('is not billed if the provider then refuses it', async () => {
    const script: Script = { headersDelayMs: 800, error: { status: 500 } };
    const { status, row } = await ask(script, { path, after: 100 });
    expect(status).toBe(401);
    expect(row).toMatchObject({ status: 401, errorCode: 'revoked_api_key', cost: 0n });
  });

  it('is billed by estimate if it is not read on', async () => {
    const script: Script = { answer: { words: 500, usage: USAGE }, intervalMs: 20 };
    const { waitedMs, row } = await ask(script, { at: impatient, path, after: 'word5' });
    expect(waitedMs).toBeLessThan(1_000);
    expect(row).toMatchObject({ status: 200, errorCode: 'revoked_api_key', estimated: true });
    expect(row?.outputTokens).toBeGreaterThanOrEqual(5);
    await provider.requests.at(-1)?.finished;
    expect(provider.requests.at(-1)?.outcome).toBe('aborted');
    const unseen = await ask({ stallBeforeHeaders: true }, { at: impatient, path, after: 300 });
    expect(unseen.row).toMatchObject({ status: 401, estimated: true });
    expect(unseen.row?.cost).toBeGreaterThan(0n);
  });
});

describe('a request is refused before any provider is called if its key is revoked', () => {
  /** Returns once the api refuses the key. */
  const revokeNow = async ({ keyId, secret }: { keyId: string; secret: string }) => {
    await revoke(keyId);
    await expect.poll(async () => (await get(`${api.baseUrl}/key`, { secret })).status).toBe(401);
  };
  const expectRefused = async (secret: string, content: string) => {
    const body = { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content }] };
    const response = await post(`${api.baseUrl}/chat/completions`, body, { secret });
    expect(response.status).toBe(401);
    expect((await readJson<ErrorBody>(response)).error.code).toBe('revoked_api_key');
    expect(provider.requests).toEqual([]);
  };

  it('while a thread parses its large body', async () => {
    const key = await harness.createKey();
    const { bodyWorkers } = api.deps;
    const run = bodyWorkers.run.bind(bodyWorkers);
    const parsing = vi.spyOn(bodyWorkers, 'run').mockImplementationOnce(async (...job) => {
      await revokeNow(key);
      return run(...job);
    });
    await expectRefused(key.secret, 'Some words of prose. '.repeat(20_000));
    expect(parsing).toHaveBeenCalled();
  });

  it('while Redis decides about its limits', async () => {
    const key = await harness.createKey({ rpm: 5 });
    const { limits } = api.deps;
    const take = limits.take.bind(limits);
    const taking = vi.spyOn(limits, 'take').mockImplementationOnce(async (request) => {
      await revokeNow(key);
      return take(request);
    });
    await expectRefused(key.secret, 'Hello');
    expect(taking).toHaveBeenCalled();
  });
});

it('the response of a suspended account is billed too', async () => {
  const { accountId } = harness;
  const suspend = () => sql`UPDATE accounts SET suspended_at = now() WHERE id = ${accountId}`;
  const script: Script = { answer: { words: 30, usage: USAGE }, intervalMs: 60 };
  const { text, row } = await ask(script, { after: 'word15', revoke: suspend });
  await sql`UPDATE accounts SET suspended_at = NULL WHERE id = ${accountId}`;
  expect(text).toContain('suspended');
  expect(row).toMatchObject({ errorCode: 'account_suspended', outputTokens: 2_000, estimated: false });
});

it('a response whose caller has disconnected is read on after its key is revoked', async () => {
  const leaving = new AbortController();
  const leave = async (keyId: string) => {
    leaving.abort();
    await expect.poll(() => api.deps.drains.size).toBe(1);
    await revoke(keyId);
  };
  const script: Script = { answer: { words: 30, usage: USAGE }, intervalMs: 60 };
  const { row } = await ask(script, { after: 'word15', revoke: leave, signal: leaving.signal });
  expect(row).toMatchObject({ status: 499, errorCode: 'client_gone', outputTokens: 2_000, estimated: false });
});

it('a revoked response does not delay the end of the process', async () => {
  const leaving = await start(60_000);
  const script: Script = { answer: { words: 5, usage: USAGE }, stallAfterPieces: 4 };
  const asked = ask(script, { at: leaving, after: 'word2' });
  await expect.poll(() => leaving.deps.drains.size, { timeout: 5_000 }).toBe(1);
  const stoppedAtMs = performance.now();
  await leaving.close();
  expect(performance.now() - stoppedAtMs).toBeLessThan(3_000);
  expect((await asked).row).toMatchObject({ errorCode: 'revoked_api_key', estimated: true });
});
