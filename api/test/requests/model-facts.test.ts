import {
  MODEL_FACTS_FIELDS,
  type ModelFactsField,
  type ModelFactsTerms,
} from '@tollgate/core/models/model-facts';
import { PRICE_ORDER, type PriceField } from '@tollgate/core/money/price-fields';
import { decodeModelFacts, encodeModelFacts } from '@tollgate/db/queries/models/model-facts';
import { listModels, putModel } from '@tollgate/db/queries/models/models';
import { setAccountPlan } from '@tollgate/db/queries/plans/plans';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { anthropicModelSchema, openAiModelSchema } from '../../src/routes/model-shapes.ts';
import { get, readJson } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';

type OpenAiModel = z.infer<typeof openAiModelSchema>;
type AnthropicModel = z.infer<typeof anthropicModelSchema>;

const FACTS: { [Fact in ModelFactsField]: NonNullable<ModelFactsTerms[Fact]> } = {
  title: 'A model',
  contextTokens: 128_000,
  maxOutputTokens: 16_000,
  capabilities: ['tools'],
  retiresAt: '2099-01-31T00:00:00.000Z',
};

/** Where `GET /v1/models` shows each fact in the two dialects, and what. */
const SHOWN: {
  [Fact in ModelFactsField]: [
    openAi: keyof OpenAiModel,
    anthropic: keyof AnthropicModel,
    openAiValue?: unknown,
  ];
} = {
  title: ['name', 'display_name'],
  contextTokens: ['context_length', 'max_input_tokens'],
  maxOutputTokens: ['max_output_tokens', 'max_tokens'],
  capabilities: ['capabilities', 'features'],
  retiresAt: ['shutdown_date', 'retires_at', '2099-01-31'],
};

/** A different amount for each price, in nano-dollars per million tokens. */
const PRICES: Record<PriceField, bigint> = {
  inputNanoUsdPerMtok: 1_000_000_000n,
  outputNanoUsdPerMtok: 5_000_000_000n,
  cacheReadNanoUsdPerMtok: 2_000_000_000n,
  cacheWriteNanoUsdPerMtok: 3_000_000_000n,
  cacheWrite1hNanoUsdPerMtok: 4_000_000_000n,
};

const PRICING: Record<PriceField, Exclude<keyof OpenAiModel['pricing'], 'long_input'>> = {
  inputNanoUsdPerMtok: 'prompt',
  outputNanoUsdPerMtok: 'completion',
  cacheReadNanoUsdPerMtok: 'input_cache_read',
  cacheWriteNanoUsdPerMtok: 'input_cache_write',
  cacheWrite1hNanoUsdPerMtok: 'input_cache_write_1h',
};

describe('GET /v1/models', () => {
  let harness: Harness;
  let api: TestApi;
  let openAi: OpenAiModel;
  let anthropic: AnthropicModel;
  beforeAll(async () => {
    harness = await createHarness();
    const { db } = harness.database;
    const longInput = { ...PRICES, aboveInputTokens: 1_000 };
    const model = { id: MODEL, facts: encodeModelFacts(FACTS), prices: { ...PRICES, longInput } };
    await putModel(db, { ...model, now: new Date() });
    const { accountId } = harness;
    await setAccountPlan(db, { accountId, planId: 'standard', actorUserId: null });
    api = await startTestApi({ db, runtime: 'node' });
    const url = `${api.baseUrl}/models/${MODEL}`;
    const { secret } = harness;
    openAi = await readJson<OpenAiModel>(get(url, { secret }));
    anthropic = await readJson<AnthropicModel>(
      get(url, { secret, headers: { 'anthropic-version': '2023-06-01' } }),
    );
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  it('shows facts that are stored as they were entered', async () => {
    const [model] = await listModels(harness.database.db, new Date());
    if (model === undefined) throw new Error('The model was not stored');
    expect(decodeModelFacts(model)).toEqual(FACTS);
  });

  it.each(MODEL_FACTS_FIELDS)('shows the fact %s in both dialects', (fact) => {
    const [openAiMember, anthropicMember, openAiValue = FACTS[fact]] = SHOWN[fact];
    expect([openAi[openAiMember], anthropic[anthropicMember]]).toEqual([openAiValue, FACTS[fact]]);
  });

  it.each(PRICE_ORDER)('shows the price %s, also for long input', (field) => {
    const perToken = `0.00000${PRICES[field] / 1_000_000_000n}`;
    const member = PRICING[field];
    for (const { pricing } of [openAi, anthropic])
      expect([pricing[member], pricing.long_input?.[member]]).toEqual([perToken, perToken]);
  });
});
