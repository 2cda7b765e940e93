import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { createFakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import type { Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, expect, it } from 'vitest';
import { startTestApi } from '../../src/testing/start-test-api.ts';

const REQUESTS = Number(process.env['ROUTING_SOAK_REQUESTS'] ?? 150);
const AT_ONCE = 16;
/** How a provider serves its requests, in turn. */
const WAYS: readonly Script[] = [
  {},
  { error: { status: 500 } },
  { error: { status: 429, retryAfterSeconds: 1 } },
  { headersDelayMs: 350 },
  {},
  { cutBeforeHeaders: true },
  { cutAfterPieces: 2 },
  { firstByteDelayMs: 350, cutAfterPieces: 1 },
  { garbage: 500 },
  { stallAfterPieces: 1 },
  { stallAfterPieces: 3, stallMs: 200 },
  { stallBeforeHeaders: true },
  { error: { status: 401 } },
];

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const database = await createTestDatabase();
const { sql } = database.db;
const { accountId } = await createAccountFixture(database.db);
const { secret } = await createKeyFixture(database.db, accountId, {});
const providers = [await createFakeProvider(), await createFakeProvider()];
const api = await startTestApi({
  db: database.db,
  runtime: 'node',
  attempts: 3,
  tickMs: 50,
  breaker: { failures: 5, openMs: 20 },
  timeouts: { firstByteMs: 600, idleMs: 600 },
  drainAfterDisconnectMs: 200,
  healthChecks: { lookMs: 20, secondMs: 5, limitMs: 300 },
});
afterAll(async () => {
  await api.close();
  for (const each of [...providers, database]) await each[Symbol.asyncDispose]();
});

/** Adds two models with every way of routing; the second one is the fallback of the first. */
async function addModels(): Promise<void> {
  for (const [at, { origin }] of providers.entries())
    await sql`INSERT INTO providers (id, name, dialect, base_url, max_concurrency)
      VALUES (${`p${at}`}, ${`p${at}`}, 'openai-chat', ${`${origin}/v1`}, 30)`;
  for (const model of ['main', 'spare']) {
    await sql`INSERT INTO models (id, strategy, hedge_after_ms, first_token_timeout_ms, continue_streams, health_check_interval_s)
      VALUES (${model}, 'lowest-latency', 100, 400, true, 10)`;
    await sql`INSERT INTO model_prices (model_id, input_nano_usd_per_mtok, output_nano_usd_per_mtok, effective_from)
      VALUES (${model}, 1000000000, 4000000000, now() - interval '1 minute')`;
    for (const at of providers.keys())
      await sql`INSERT INTO routes (id, model_id, provider_id) VALUES (${`${model}_${at}`}, ${model}, ${`p${at}`})`;
  }
  await sql`INSERT INTO model_fallbacks (model_id, fallback_id, position, classes) VALUES ('main', 'spare', 0, '{failure}')`;
  await api.deps.catalogue.load();
}

let asked = 0;

/** One request, which its caller may leave. @returns how it ended */
async function ask(): Promise<string> {
  asked += 1;
  const leaves = asked % 7 === 0;
  const signal = leaves ? AbortSignal.timeout(20 + (asked % 200)) : null;
  try {
    const response = await fetch(`${api.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'main',
        messages: [{ role: 'user', content: `Request ${asked % 50}` }],
        stream: asked % 3 !== 0,
      }),
      signal,
    });
    const text = await response.text();
    if (response.status === 200 && text.includes('[DONE]')) return 'streamed';
    return String(response.status);
  } catch (error) {
    if (leaves) return 'left';
    throw error;
  }
}

async function askMany(requests: number, ends: Map<string, number>): Promise<void> {
  for (const provider of providers) {
    let served = 0;
    provider.always(() => WAYS[served++ % WAYS.length] ?? {});
  }
  let left = requests;
  const ask1 = async () => {
    while (left-- > 0) {
      const end = await ask();
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask1));
  if (!(await api.deps.inFlight.waitUntilEmpty(5_000))) throw new Error('A request did not end');
}

const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it(
  `leaves nothing running and nothing in memory after ${REQUESTS} requests to faulty providers`,
  { timeout: 30_000 + REQUESTS * 100 },
  async () => {
    await addModels();
    const ends = new Map<string, number>();
    const measure = async () => {
      // It also forgets the requests.
      for (const provider of providers) provider.reset();
      collect();
      return { heap: process.memoryUsage().heapUsed, timers: countTimers() };
    };
    await askMany(REQUESTS / 3, ends);
    const before = await measure();
    await askMany(REQUESTS, ends);
    const after = await measure();
    expect(after.timers).toBeLessThan(before.timers + 10);
    expect(after.heap - before.heap).toBeLessThan(10_000_000);
    expect(ends.get('streamed') ?? 0).toBeGreaterThan(REQUESTS / 5);
    // Only checks of the routes may have a place.
    api.deps.startDraining();
    for (const at of providers.keys())
      await expect.poll(() => api.deps.upstreams.concurrency.getCount(`p${at}`)).toBe(0);
    const unsettled = await sql`SELECT 1 FROM requests WHERE status IS NULL`;
    expect(unsettled).toHaveLength(0);
    expect((await verifyLedger(database.db, { recompute: null })).findings).toEqual([]);
  },
);
