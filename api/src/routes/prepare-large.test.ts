/** A large body counts against the limits of its key, also if the thread that reads it fails, and is read only in threads. */
import { Buffer } from 'node:buffer';
import { hashApiKeyHex } from '@tollgate/auth/api-key';
import { systemClock } from '@tollgate/core/runtime/clock';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { afterAll, afterEach, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../testing/call-api.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../testing/start-test-api.ts';
import { createHarness, MODEL, PRICES } from '../../test/gateway-fixture.ts';
import { chatCompletionsEndpoint, messagesEndpoint, type EndpointSpec } from '../endpoints.ts';
import { BodyBudget } from '../request-body/body-budget.ts';
import { BodyWorkers } from '../request-body/worker/body-workers.ts';
import { checkKeyHash } from '../keys/check-key.ts';
import { prepareLargeBody } from './prepare-large.ts';

const harness = await createHarness();
const open: TestApi[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((api) => api.close()));
});
afterAll(() => harness[Symbol.asyncDispose]());

const BODY = { model: MODEL, messages: [{ role: 'user', content: 'x'.repeat(1024 * 1024) }] };
/** Throws in the thread, as the reader of a body would. */
const BROKEN = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => { throw new Error('broken'); });`)}`,
);

async function start(bodyWorkers: NonNullable<TestApiOptions['bodyWorkers']>) {
  const api = await startTestApi({ db: harness.database.db, runtime: 'node', bodyWorkers });
  open.push(api);
  const { secret } = await harness.createKey({ rpm: 2 });
  return async () => {
    const response = await post(`${api.baseUrl}/chat/completions`, BODY, { secret });
    const { error } = await readJson<ErrorBody>(response);
    const left = response.headers.get('x-ratelimit-remaining-requests');
    return { status: response.status, code: error.code, left };
  };
}

it.each<[string, NonNullable<TestApiOptions['bodyWorkers']>, { status: number; code: string }]>([
  ['throws', { program: BROKEN }, { status: 500, code: 'internal_error' }],
  ['takes too long', { timeLimitMs: 1 }, { status: 503, code: 'gateway_overloaded' }],
])('counts a large body whose thread %s', async (_name, options, failure) => {
  const ask = await start(options);
  expect(await ask()).toEqual({ ...failure, left: '1' });
  expect(await ask()).toEqual({ ...failure, left: '0' });
  expect(await ask()).toMatchObject({ status: 429, code: 'rate_limit_requests' });
  expect(harness.provider.requests).toHaveLength(0);
});

const MIB = 1024 * 1024;
const CLAUDE = 'claude-sonnet-4-5';
/** Well below what reading such a body takes (up to a second), and above what a slow machine adds. */
const MAX_LOOP_MS = 100;

const PLAIN = 'plain-model';

/** A model of another dialect, and one of a provider that is sent what the caller wrote. */
const offerModels = async () => {
  for (const [model, dialect] of [
    [CLAUDE, 'anthropic-messages'],
    [PLAIN, 'openai-chat'],
  ] as const)
    await ensureBuiltIn(harness.database.db, {
      name: `of-${model}`,
      dialect,
      baseUrl: `${harness.provider.origin}/v1`,
      credentialEnv: null,
      preset: null,
      models: [{ id: model, upstreamModel: model, facts: {}, prices: PRICES }],
    });
};

it.each<[string, { model: string; count: number }, boolean]>([
  ['translates many messages', { model: CLAUDE, count: 1_900 }, true],
  ['leaves a few to the event loop', { model: CLAUDE, count: 100 }, false],
  ['leaves what is not translated', { model: PLAIN, count: 1_900 }, false],
])('%s of a body of less than 128 KiB', async (_name, { model, count }, isInThread) => {
  await offerModels();
  const api = await startTestApi({
    db: harness.database.db,
    runtime: 'node',
    bodyWorkers: { program: BROKEN },
  });
  open.push(api);
  const { secret } = await harness.createKey();
  const messages = Array.from({ length: count }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: 'text of it',
  }));
  const response = await post(`${api.baseUrl}/chat/completions`, { model, messages }, { secret });
  const { error } = await readJson<Partial<ErrorBody>>(response);
  expect(error?.code === 'internal_error').toBe(isInThread);
});

it.each<[string, EndpointSpec, { content: string } & Record<string, unknown>]>([
  ['with many escapes', chatCompletionsEndpoint, { model: MODEL, content: '\n\u0001'.repeat(2 * MIB) }],
  [
    'whose thinking has a budget',
    messagesEndpoint,
    {
      model: CLAUDE,
      content: 'a "word" '.repeat(MIB),
      max_tokens: 5_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
    },
  ],
])(
  'takes the event loop only briefly for a large body %s',
  async (_name, spec, { content, ...rest }) => {
    await offerModels();
    const api = await startTestApi({ db: harness.database.db, runtime: 'node' });
    const { catalogue } = api.deps;
    const key = await checkKeyHash(
      hashApiKeyHex((await harness.createKey()).secret),
      api.deps.keys,
      systemClock,
    );
    if (!key.ok) throw new Error(key.error.message);
    // Its timers would be measured, too.
    await api.close();
    const bodyWorkers = new BodyWorkers({ threads: 1, timeLimitMs: 60_000, maxHeapMib: 512 });
    const text = JSON.stringify({ ...rest, messages: [{ role: 'user', content }] });
    const measure = async (): Promise<number> => {
      const body = Buffer.allocUnsafeSlow(text.length);
      body.write(text);
      const before = process.threadCpuUsage();
      const read = await prepareLargeBody(
        { bodyWorkers, catalogue },
        {
          spec,
          key: key.value,
          exchange: { header: () => null, isDisconnected: false, startedAtMs: Date.now() },
          reservation: new BodyBudget(1024 * MIB).open(key.value.accountId),
          body,
        },
      );
      const { user, system } = process.threadCpuUsage(before);
      expect(read).toMatchObject({ ok: true, value: { parsed: { ok: true } } });
      return (user + system) / 1_000;
    };
    // A measurement may include a garbage collection of the test's own allocations.
    let loopMs = await measure();
    for (let tries = 1; tries < 6 && loopMs >= MAX_LOOP_MS; tries += 1)
      loopMs = Math.min(loopMs, await measure());
    await bodyWorkers.close();
    expect(loopMs).toBeLessThan(MAX_LOOP_MS);
  },
  60_000,
);
