/** A large body counts against the limits of its key, also if the thread that reads it fails. */
import { afterAll, afterEach, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../testing/call-api.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../testing/start-test-api.ts';
import { createHarness, MODEL } from '../../test/gateway-fixture.ts';

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
