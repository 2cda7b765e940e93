import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { readRequest } from '@tollgate/testing/read-request';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHarness, MODEL, PRICES, type Harness } from '../../test/gateway-fixture.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';

const COUNTED = 'counted-model';

describe.each(['node', 'web'] as const)('POST /v1/responses/input_tokens on the %s runtime', (runtime) => {
  let harness: Harness;
  let api: TestApi;
  let client: OpenAI;
  beforeAll(async () => {
    harness = await createHarness();
    await ensureBuiltIn(harness.database.db, {
      name: 'openai',
      dialect: 'openai-chat',
      baseUrl: `${harness.provider.origin}/v1`,
      credentialEnv: null,
      preset: 'openai',
      models: [{ id: COUNTED, upstreamModel: 'gpt-5.4', facts: {}, prices: PRICES }],
    });
    api = await startTestApi({ db: harness.database.db, runtime });
    client = new OpenAI({ baseURL: api.baseUrl, apiKey: harness.secret, maxRetries: 0 });
  });
  beforeEach(() => harness.provider.reset());
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  it('returns the count of a provider that counts, for the members of the request only', async () => {
    const { data, response } = await client.responses.inputTokens
      .count({ model: COUNTED, input: 'Hello there', instructions: 'Be brief.' })
      .withResponse();
    expect(data).toEqual({ object: 'response.input_tokens', input_tokens: 4 });
    expect(response.headers.get('x-tollgate-estimated')).toBeNull();
    const [asked] = harness.provider.requests;
    expect(asked?.path).toBe('/v1/responses/input_tokens');
    expect(JSON.parse(String(asked?.body))).toEqual({
      model: 'gpt-5.4',
      input: 'Hello there',
      instructions: 'Be brief.',
    });
  });

  it('estimates the count if no provider of the model counts, or none responds', async () => {
    harness.provider.next({ error: { status: 404 } });
    for (const model of [COUNTED, MODEL]) {
      const { data, response } = await client.responses.inputTokens
        .count({ model, input: [{ role: 'user', content: 'Hello there' }] })
        .withResponse();
      expect(data.object).toBe('response.input_tokens');
      expect(data.input_tokens).toBeGreaterThan(5);
      expect(data.input_tokens).toBeLessThan(20);
      expect(response.headers.get('x-tollgate-estimated')).toBe('true');
    }
    expect(harness.provider.requests).toHaveLength(1);
  });

  it('is free, and does not count against the limits of the key', async () => {
    const { secret } = await harness.createKey({ rpm: 1, maxBudgetUsd: '0.000000001' });
    const limited = new OpenAI({ baseURL: api.baseUrl, apiKey: secret, maxRetries: 0 });
    const { response } = await limited.responses.inputTokens
      .count({ model: COUNTED, input: 'Hello' })
      .withResponse();
    await api.deps.ledger.flush();
    const record = await readRequest(harness.database.db, response.headers.get('x-request-id'));
    expect(record).toMatchObject({ status: 200, model: COUNTED, costNanoUsd: 0n, inputTokens: 0 });
    // The one free request of this minute is used, the metered one is not.
    await expect(
      limited.responses.inputTokens.count({ model: COUNTED, input: 'Hello' }),
    ).rejects.toMatchObject({
      status: 429,
    });
    await expect(limited.responses.create({ model: MODEL, input: 'Hello' })).rejects.toMatchObject({
      status: 402,
    });
  });

  it('denies a request without a model or input like a response', async () => {
    for (const body of [{ input: 'Hello' }, { model: MODEL }])
      await expect(client.responses.inputTokens.count(body)).rejects.toMatchObject({
        status: 400,
        error: { type: 'invalid_request_error' },
      });
  });
});
