import { setTimeout as sleep } from 'node:timers/promises';
import { NO_USAGE } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { completeUsage } from '@tollgate/dialects/usage/complete-usage';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import type { FakeDialect, Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chatCompletionsEndpoint } from '../../src/endpoints.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES } from '../gateway-fixture.ts';

const harness = await createHarness();
const { provider, database } = harness;
const DRAIN_MS = 4_000;
const api = await startTestApi({ db: database.db, runtime: 'node', drainAfterDisconnectMs: DRAIN_MS });
const impatient = await startTestApi({ db: database.db, runtime: 'node', drainAfterDisconnectMs: 0 });
afterAll(async () => {
  await api.close();
  await impatient.close();
  await harness[Symbol.asyncDispose]();
});
beforeEach(() => provider.reset());
afterEach(() => vi.restoreAllMocks());

const DIALECTS: readonly FakeDialect[] = ['openai-chat', 'anthropic-messages'];
/** Usage of a reasoning model with five visible words. */
const USAGE = { ...NO_USAGE, inputTokens: 20, outputTokens: 2_000 };

interface Row {
  id: string;
  status: number;
  outputTokens: number;
  estimated: boolean;
  cost: bigint;
  unbilled: bigint;
  waitedMs: number;
}

interface Leaving {
  at?: TestApi;
  dialect: FakeDialect;
  stream: boolean;
  script: Script;
  /** Disconnects after this text, or after this many milliseconds. */
  after: string | number;
  secret?: string;
  maxTokens?: number;
}

/** Sends a request, disconnects, and waits for the settlement. */
async function leave({
  at = api,
  dialect,
  stream,
  script,
  after,
  secret,
  maxTokens = 4_000,
}: Leaving): Promise<Row> {
  const key = secret === undefined ? await harness.createKey() : null;
  provider.next(script);
  const leaving = new AbortController();
  const asked = fetch(`${at.baseUrl}${dialect === 'openai-chat' ? '/chat/completions' : '/messages'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key?.secret ?? secret}` },
    body: JSON.stringify({
      model: MODEL,
      max_tokens: maxTokens,
      messages: [{ role: 'user', content: 'Think hard, say little.' }],
      stream,
    }),
    signal: leaving.signal,
  });
  if (typeof after === 'number') {
    asked.catch(() => undefined);
    while (provider.requests.length === 0) await sleep(10);
    await sleep(after);
  } else {
    let text = '';
    for await (const piece of (await asked).body ?? []) {
      text += Buffer.from(piece).toString();
      if (text.includes(after)) break;
    }
  }
  leaving.abort();
  const leftAtMs = performance.now();
  for (;;) {
    const rows = await database.db.sql<Row[]>`
      SELECT id, status, output_tokens AS "outputTokens", estimated, cost_nano_usd AS cost,
        operator_cost_nano_usd AS unbilled
      FROM requests WHERE state = 'settled' ORDER BY started_at DESC LIMIT 5`;
    const row = rows.find(({ id }) => !settled.has(id));
    if (row !== undefined) {
      settled.add(row.id);
      return { ...row, waitedMs: performance.now() - leftAtMs };
    }
    if (performance.now() - leftAtMs > 10_000) throw new Error('The request was not settled');
    await sleep(20);
  }
}
const settled = new Set<string>();

describe.each(DIALECTS)('a caller of %s that disconnects', (dialect) => {
  it('pays for all of a stream if it leaves before the usage', async () => {
    const row = await leave({
      dialect,
      stream: true,
      script: { answer: { words: 5, usage: USAGE }, intervalMs: 60 },
      after: 'word5',
    });
    expect(row).toMatchObject({ status: 499, outputTokens: 2_000, estimated: false });
    expect(row.cost).toBe(computeCost(USAGE, PRICES));
    expect(provider.requests.at(-1)?.outcome).toBe('complete');
  });

  it('pays for all of a response that is not streamed', async () => {
    const script = { answer: { words: 5, usage: USAGE }, headersDelayMs: 500 };
    const row = await leave({ dialect, stream: false, script, after: 100 });
    expect(row).toMatchObject({ status: 499, outputTokens: 2_000, estimated: false });
    expect(row.cost).toBe(computeCost(USAGE, PRICES));
  });

  it('is billed by estimate, including hidden reasoning, if the usage does not arrive in time', async () => {
    const script = {
      answer: { words: 5, usage: USAGE },
      stallAfterPieces: dialect === 'openai-chat' ? 6 : 8,
    };
    const row = await leave({ dialect, stream: true, script, after: 'word5' });
    expect(row).toMatchObject({ status: 499, estimated: true });
    expect(row.waitedMs).toBeGreaterThan(DRAIN_MS - 300);
    expect(row.waitedMs).toBeLessThan(DRAIN_MS + 3_000);
    // Earlier responses of this model had 2,000 tokens in less than a second.
    expect(row.outputTokens).toBeGreaterThan(1_000);
    await provider.requests.at(-1)?.finished;
    expect(provider.requests.at(-1)?.outcome).toBe('aborted');
  });

  it('is billed by estimate if the provider does not respond in time', async () => {
    const row = await leave({ dialect, stream: true, script: { stallBeforeHeaders: true }, after: 200 });
    expect(row).toMatchObject({ status: 499, estimated: true });
    // Earlier responses of this model had 2,000 tokens in less than a second.
    expect(row.outputTokens).toBeGreaterThan(1_000);
  });

  it('stops the provider call immediately if the drain time is 0', async () => {
    const script = { answer: { words: 500, usage: USAGE }, intervalMs: 20 };
    const row = await leave({ at: impatient, dialect, stream: true, script, after: 'word5' });
    expect(row).toMatchObject({ status: 499, estimated: true });
    expect(row.waitedMs).toBeLessThan(1_000);
    await provider.requests.at(-1)?.finished;
    expect(provider.requests.at(-1)?.outcome).toBe('aborted');
  });
});

describe('reading on after a disconnect', () => {
  it('stops if the cost reaches the hold', async () => {
    const { secret } = await harness.createKey({ maxBudgetUsd: '1.00' });
    const patient = await startTestApi({ db: database.db, runtime: 'node', drainAfterDisconnectMs: 60_000 });
    const script = { answer: { text: 'so many words '.repeat(5_000), usage: null }, intervalMs: 1 };
    const call = {
      at: patient,
      dialect: 'openai-chat',
      stream: true,
      script,
      after: 'words',
      secret,
    } as const;
    const row = await leave({ ...call, maxTokens: 300 });
    await patient.close();
    expect(row.status).toBe(499);
    expect(row.waitedMs).toBeLessThan(5_000);
    const [held] = await database.db.sql<{ held: bigint }[]>`
      SELECT held_nano_usd AS held FROM requests WHERE id = ${row.id}`;
    expect(row.cost).toBeLessThanOrEqual(held?.held ?? 0n);
  });

  it('continues to the usage of a response by a model without a price, although the whole hold is charged', async () => {
    const { secret } = await harness.createKey({ maxBudgetUsd: '1.00' });
    const chunk = (more: object) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'elsewhere', ...more })}\n\n`;
    const said = { choices: [{ index: 0, delta: { content: 'word ' }, finish_reason: null }] };
    const usage = { prompt_tokens: 20, completion_tokens: 77, total_tokens: 97 };
    const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage };
    const body = `${chunk(said).repeat(8)}${chunk(end)}data: [DONE]\n\n`;
    const script = { replay: { body }, split: 'natural', intervalMs: 60 } as const;
    const row = await leave({ dialect: 'openai-chat', stream: true, script, after: 'word', secret });
    expect(row).toMatchObject({ status: 499, outputTokens: 77, estimated: false });
    const [charged] = await database.db.sql<{ held: bigint; mismatch: string }[]>`
      SELECT held_nano_usd AS held, price_mismatch AS mismatch FROM requests WHERE id = ${row.id}`;
    expect(charged).toEqual({ held: row.cost, mismatch: 'model elsewhere' });
  });

  it('tries no other route if the provider fails', async () => {
    const patient = await startTestApi({
      db: database.db,
      runtime: 'node',
      drainAfterDisconnectMs: DRAIN_MS,
      attempts: 2,
    });
    const script = { headersDelayMs: 500, error: { status: 503 } } as const;
    const row = await leave({ at: patient, dialect: 'openai-chat', stream: true, script, after: 100 });
    await patient.close();
    expect(row).toMatchObject({ status: 499, cost: 0n });
    expect(provider.requests).toHaveLength(1);
  });

  it('is billed by the last successful measurement of the response if a later one fails', async () => {
    const measuring = vi.spyOn(chatCompletionsEndpoint, 'completeUsage').mockImplementation(() => {
      throw new Error('It cannot be measured');
    });
    measuring.mockImplementationOnce(completeUsage);
    const script = { answer: { words: 30, usage: USAGE }, intervalMs: 60 };
    const row = await leave({ dialect: 'openai-chat', stream: true, script, after: 'word3' });
    expect(row).toMatchObject({ status: 499, estimated: true });
    expect(row.outputTokens).toBeGreaterThanOrEqual(3);
    expect(row.outputTokens).toBeLessThan(USAGE.outputTokens);
    expect(row.cost).toBeGreaterThan(0n);
  });

  it('ends by estimate when the process shuts down', async () => {
    const leaving = await startTestApi({ db: database.db, runtime: 'node', drainAfterDisconnectMs: 60_000 });
    const script = { answer: { words: 5, usage: USAGE }, stallAfterPieces: 6 };
    const disconnect = leave({ at: leaving, dialect: 'openai-chat', stream: true, script, after: 'word5' });
    while (leaving.deps.drains.size === 0) await sleep(20);
    const stoppedAtMs = performance.now();
    await leaving.close();
    expect(performance.now() - stoppedAtMs).toBeLessThan(3_000);
    expect(await disconnect).toMatchObject({ status: 499, estimated: true });
  });

  it('yields its place at a provider to another account', async () => {
    await database.db.sql`UPDATE providers SET max_concurrency = 4`;
    const small = await startTestApi({ db: database.db, runtime: 'node', drainAfterDisconnectMs: 60_000 });
    const { accountId } = await createAccountFixture(database.db);
    const other = await createKeyFixture(database.db, accountId, {});
    const mine = await harness.createKey();
    const ask = async (secret: string, signal: AbortSignal | null = null) =>
      fetch(`${small.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        body: JSON.stringify({ model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }),
        signal,
      });
    try {
      for (let at = 0; at < 8; at += 1) {
        provider.next({ stallBeforeHeaders: true });
        const leaving = new AbortController();
        const asked = ask(mine.secret, leaving.signal).catch(() => null);
        await expect.poll(() => provider.requests.length).toBe(at + 1);
        leaving.abort();
        await asked;
        await expect.poll(() => small.deps.drains.size).toBe(Math.min(at + 1, 4));
      }
      const statuses = await Promise.all([1, 2].map(async () => (await ask(other.secret)).status));
      expect(statuses).toEqual([200, 200]);
    } finally {
      await database.db.sql`UPDATE providers SET max_concurrency = NULL`;
      await small.close();
    }
  });
});
