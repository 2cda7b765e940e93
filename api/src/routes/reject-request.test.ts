import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createHarness, MODEL, type Harness } from '../../test/gateway-fixture.ts';
import { post, readJson, type ErrorBody } from '../testing/call-api.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';

const OTHER = 'other-model';

let harness: Harness;
let api: TestApi;
beforeAll(async () => {
  harness = await createHarness([MODEL, OTHER]);
  api = await startTestApi({ db: harness.database.db, runtime: 'node' });
});
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

it('answers if the limit store fails while a request that is too large for the limits is rejected', async () => {
  const { secret } = await harness.createKey({ tpm: 100 });
  const { limits } = api.deps;
  const take = limits.take.bind(limits);
  // The first call reports that the request is too large; the second one, which counts it, fails.
  const taking = vi
    .spyOn(limits, 'take')
    .mockImplementation((request) =>
      request.tokens === 0 ? Promise.reject(new Error('out of order')) : take(request),
    );
  try {
    const messages = [{ role: 'user', content: 'Hello '.repeat(500) }];
    const response = await post(`${api.baseUrl}/chat/completions`, { model: MODEL, messages }, { secret });
    expect(response.status).toBe(500);
    expect(await readJson<ErrorBody>(response)).toMatchObject({ error: { code: 'internal_error' } });
  } finally {
    taking.mockRestore();
  }
});

it.each([
  [
    'a model outside of the scope',
    { model: OTHER, messages: [{ role: 'user', content: 'Hello' }] },
    'model_not_allowed',
    403,
  ],
  ['an invalid request', { model: MODEL }, 'invalid_request', 400],
])('counts %s against the requests per minute', async (_, request, code, status) => {
  const { secret } = await harness.createKey({ rpm: 1, allowedModels: [MODEL] });
  const ask = async () => {
    const response = await post(`${api.baseUrl}/chat/completions`, request, { secret });
    const { error } = await readJson<ErrorBody>(response);
    return { status: response.status, code: error.code };
  };
  expect(await ask()).toEqual({ status, code });
  expect(await ask()).toEqual({ status: 429, code: 'rate_limit_requests' });
});

it('counts a request that fails inside the gateway', async () => {
  const { secret } = await harness.createKey({ rpm: 1 });
  const failing = vi.spyOn(api.deps.expected, 'expectedOutputTokens').mockImplementation(() => {
    throw new Error('broken');
  });
  try {
    const body = { model: MODEL, messages: [{ role: 'user', content: 'Hello' }] };
    const ask = async () => (await post(`${api.baseUrl}/chat/completions`, body, { secret })).status;
    expect(await ask()).toBe(500);
    expect(await ask()).toBe(429);
  } finally {
    failing.mockRestore();
  }
});
