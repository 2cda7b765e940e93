import Anthropic from '@anthropic-ai/sdk';
import { putModel } from '@tollgate/db/queries/models/models';
import { setAccountPlan } from '@tollgate/db/queries/plans/plans';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anthropicModelListSchema, openAiModelListSchema } from '../../src/routes/model-shapes.ts';
import { get } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, type Harness } from '../gateway-fixture.ts';

const IDS = Array.from({ length: 45 }, (_, index) => `model-${String(index).padStart(2, '0')}`);
const TIERED = 'model-07';

describe('GET /v1/models', () => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness(IDS);
    await putModel(harness.database.db, {
      id: TIERED,
      facts: {
        title: 'Tiered',
        contextTokens: 1_000_000,
        maxOutputTokens: 64_000,
        capabilities: ['tools', 'vision', 'something-of-a-newer-release'],
        retiresAt: new Date('2030-01-31'),
      },
      prices: {
        inputNanoUsdPerMtok: 3_000_000_000n,
        outputNanoUsdPerMtok: 15_000_000_000n,
        cacheReadNanoUsdPerMtok: 300_000_000n,
        cacheWriteNanoUsdPerMtok: null,
        cacheWrite1hNanoUsdPerMtok: null,
        longInput: {
          aboveInputTokens: 200_000,
          inputNanoUsdPerMtok: 6_000_000_000n,
          outputNanoUsdPerMtok: 22_500_000_000n,
          cacheReadNanoUsdPerMtok: 600_000_000n,
          cacheWriteNanoUsdPerMtok: null,
          cacheWrite1hNanoUsdPerMtok: null,
        },
      },
      now: new Date(),
    });
    const { accountId } = harness;
    await setAccountPlan(harness.database.db, { accountId, planId: 'standard', actorUserId: null });
    api = await startTestApi({ db: harness.database.db, runtime: 'node' });
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  const pricing = {
    prompt: '0.000003',
    completion: '0.000015',
    input_cache_read: '0.0000003',
    input_cache_write: '0.000003',
    input_cache_write_1h: '0.000003',
    long_input: {
      above_input_tokens: 200_000,
      prompt: '0.000006',
      completion: '0.0000225',
      input_cache_read: '0.0000006',
      input_cache_write: '0.000006',
      input_cache_write_1h: '0.000006',
    },
  };

  it('reaches the OpenAI SDK complete, with prices, limits and capabilities', async () => {
    const client = new OpenAI({ baseURL: api.baseUrl, apiKey: harness.secret, maxRetries: 0 });
    const models = await Array.fromAsync(client.models.list());
    expect(models.map((model) => model.id)).toEqual(IDS);
    expect(await client.models.retrieve(TIERED)).toMatchObject({
      shutdown_date: '2030-01-31',
      name: 'Tiered',
      context_length: 1_000_000,
      max_output_tokens: 64_000,
      capabilities: ['vision', 'tools'],
      pricing,
    });
  });

  it('reaches the Anthropic SDK page by page, in either direction', async () => {
    const client = new Anthropic({ baseURL: api.baseUrl, apiKey: harness.secret, maxRetries: 0 });
    const first = await client.models.list();
    expect([first.data.length, first.has_more, first.first_id, first.last_id]).toEqual([
      20,
      true,
      'model-00',
      'model-19',
    ]);
    const all = await Array.fromAsync(client.models.list({ limit: 7 }));
    expect(all.map((model) => model.id)).toEqual(IDS);
    const before = await Array.fromAsync(client.models.list({ limit: 10, before_id: 'model-30' }));
    expect(new Set(before.map((model) => model.id))).toEqual(new Set(IDS.slice(0, 30)));
    expect(await client.models.retrieve(TIERED)).toMatchObject({
      type: 'model',
      display_name: 'Tiered',
      lifecycle: 'deprecated',
      retires_at: '2030-01-31T00:00:00.000Z',
      max_input_tokens: 1_000_000,
      max_tokens: 64_000,
      features: ['vision', 'tools'],
      pricing,
    });
    const wrong = client.models.list({ after_id: 'missing' });
    await expect(wrong).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
  });

  it('has exactly the members of its schema', async () => {
    const openai: unknown = await (await get(`${api.baseUrl}/models`, { secret: harness.secret })).json();
    expect(openAiModelListSchema.parse(openai)).toEqual(openai);
    const headers = { 'anthropic-version': '2023-06-01' };
    const answer = await get(`${api.baseUrl}/models?limit=1000`, { secret: harness.secret, headers });
    const anthropic: unknown = await answer.json();
    expect(anthropicModelListSchema.parse(anthropic)).toEqual(anthropic);
  });
});
