import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get, post, readJson } from '../testing/call-api.ts';
import { startTestApi, type TestApi } from '../testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../../test/gateway-fixture.ts';

interface ModelList {
  data: { id: string }[];
}

const messages = [{ role: 'user', content: 'Hello' }];

describe.each(['node', 'web'] as const)('on the %s runtime', (runtime) => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness();
    api = await startTestApi({ db: harness.database.db, runtime });
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  it('lists the models of the key in both shapes, and returns one by its id', async () => {
    const openai = await readJson<ModelList>(get(`${api.baseUrl}/models`, { secret: harness.secret }));
    expect(openai).toMatchObject({ object: 'list' });
    expect(openai.data).toContainEqual(expect.objectContaining({ id: MODEL, object: 'model' }));
    const headers = { 'anthropic-version': '2023-06-01' };
    const anthropic = await readJson<ModelList>(
      get(`${api.baseUrl}/models`, { secret: harness.secret, headers }),
    );
    expect(anthropic).toMatchObject({ has_more: false });
    expect(anthropic.data).toContainEqual(expect.objectContaining({ id: MODEL, type: 'model' }));
    const { secret } = await harness.createKey({ allowedModels: [MODEL] });
    const own = await readJson<ModelList>(get(`${api.baseUrl}/models`, { secret }));
    expect(own.data.map((model) => model.id)).toEqual([MODEL]);
    expect((await get(`${api.baseUrl}/models/${MODEL}`, { secret })).status).toBe(200);
    expect((await get(`${api.baseUrl}/models/nothing`, { secret })).status).toBe(404);
  });

  it("returns the key's own details", async () => {
    const { secret, keyId } = await harness.createKey({ rpm: 10, maxBudgetUsd: '5' });
    const own = await readJson<object>(get(`${api.baseUrl}/key`, { secret }));
    expect(own).toMatchObject({
      id: keyId,
      state: 'active',
      max_budget_usd: '5.00',
      spent_usd: '0.00',
      remaining_usd: '5.00',
      limits: { requests_per_minute: { limit: 10, remaining: 10 }, tokens_per_minute: null },
    });
    expect(JSON.stringify(own)).not.toContain(secret);
  });

  it('answers unknown routes and methods with 404, and health without a key', async () => {
    const root = api.baseUrl.replace('/v1', '');
    expect((await get(`${root}/healthz`)).status).toBe(200);
    expect((await get(`${root}/readyz`)).status).toBe(200);
    expect((await get(`${root}/nothing`)).status).toBe(404);
    expect((await get(`${api.baseUrl}/nothing`, { secret: harness.secret })).status).toBe(404);
    expect((await get(`${api.baseUrl}/chat/completions`, { secret: harness.secret })).status).toBe(404);
  });

  it('answers /v1/v1 like /v1', async () => {
    const body = { model: MODEL, messages, max_tokens: 5 };
    expect((await post(`${api.baseUrl}/v1/messages`, body, { secret: harness.secret })).status).toBe(200);
  });
});
