import { formatUsd, type TokenPrices } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { putModel } from '@tollgate/db/queries/models/models';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES, type Harness } from '../gateway-fixture.ts';
import { waitForSpend } from '../chaos/wait-for-spend.ts';

const ABOVE = 100;
const TIERED: TokenPrices = {
  ...PRICES,
  longInput: {
    aboveInputTokens: ABOVE,
    inputNanoUsdPerMtok: 2_000_000_000n,
    outputNanoUsdPerMtok: 7_000_000_000n,
    cacheReadNanoUsdPerMtok: 200_000_000n,
    cacheWriteNanoUsdPerMtok: null,
    cacheWrite1hNanoUsdPerMtok: null,
  },
};

describe('a model with a higher price for long input', () => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness();
    await putModel(harness.database.db, { id: MODEL, facts: {}, prices: TIERED, now: new Date() });
    api = await startTestApi({ db: harness.database.db, runtime: 'node' });
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  async function ask(content: string) {
    const { keyId, secret } = await harness.createKey();
    const client = new OpenAI({ baseURL: api.baseUrl, apiKey: secret, maxRetries: 0 });
    const asked = client.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content }] });
    const { data, response } = await asked.withResponse();
    const input = data.usage?.prompt_tokens ?? 0;
    const cached = data.usage?.prompt_tokens_details?.cached_tokens ?? 0;
    const usage = {
      inputTokens: input - cached,
      cacheReadTokens: cached,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: data.usage?.completion_tokens ?? 0,
    };
    await waitForSpend(harness, keyId);
    const [totals] = await harness.database.db.sql<{ spent: bigint }[]>`
      SELECT spent_nano_usd AS spent FROM key_totals WHERE key_id = ${keyId}`;
    return { input, usage, reported: response.headers.get('x-tollgate-cost'), spent: totals?.spent };
  }

  it('charges a short request at the normal price', async () => {
    const { input, usage, reported, spent } = await ask('Hello');
    expect(input).toBeLessThanOrEqual(ABOVE);
    expect([reported, spent]).toEqual([formatUsd(computeCost(usage, PRICES)), computeCost(usage, PRICES)]);
  });

  it('charges a long request at the long-input price, output included', async () => {
    const { input, usage, reported, spent } = await ask('word '.repeat(1_000));
    expect(input).toBeGreaterThan(ABOVE);
    const cost = computeCost(usage, TIERED.longInput ?? PRICES);
    expect([reported, spent]).toEqual([formatUsd(cost), cost]);
    expect(cost).toBeGreaterThan(computeCost(usage, PRICES));
  });
});
