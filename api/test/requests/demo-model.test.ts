import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES, type Harness } from '../gateway-fixture.ts';

const DEMO = 'demo-model';

describe('the demo model', () => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness();
    await ensureBuiltIn(harness.database.db, {
      name: 'demo',
      dialect: 'demo',
      baseUrl: null,
      credentialEnv: null,
      preset: null,
      models: [{ id: DEMO, upstreamModel: null, facts: {}, prices: PRICES }],
    });
    api = await startTestApi({ db: harness.database.db, runtime: 'node' });
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });
  const chat = (more: object) =>
    post(
      `${api.baseUrl}/chat/completions`,
      { model: DEMO, messages: [{ role: 'user', content: 'Hello' }], ...more },
      { secret: harness.secret },
    );

  it.each([
    ['n', { n: 2 }],
    ['n', { n: 2, stream: true }],
    ['logprobs', { logprobs: true }],
    ['logprobs', { logprobs: true, top_logprobs: 3, stream: true }],
  ])('rejects %s with 400 instead of ignoring it: %o', async (param, more) => {
    const response = await chat(more);
    expect(response.status).toBe(400);
    const { error } = await readJson<ErrorBody>(response);
    expect(error).toMatchObject({ type: 'invalid_request_error', param, code: 'unsupported_parameter' });
    expect(error.message).toContain('demo model');
  });

  it('rejects log probabilities in the Responses API too', async () => {
    const include = ['message.output_text.logprobs'];
    const input = { model: DEMO, input: 'Hello', include, top_logprobs: 2 };
    const response = await post(`${api.baseUrl}/responses`, input, { secret: harness.secret });
    expect(response.status).toBe(400);
    expect((await readJson<ErrorBody>(response)).error.code).toBe('unsupported_parameter');
  });

  it.each([{}, { n: 1, logprobs: false, top_logprobs: null }])('responds to %o', async (more) => {
    expect((await chat(more)).status).toBe(200);
  });
});
