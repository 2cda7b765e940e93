import type { TokenPrices } from '@tollgate/core/money/money';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue/catalogue.ts';
import { listModels, putModel } from './models.ts';

const FLAT: TokenPrices = {
  inputNanoUsdPerMtok: 3_000_000_000n,
  outputNanoUsdPerMtok: 15_000_000_000n,
  cacheReadNanoUsdPerMtok: 300_000_000n,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};
const LONG = {
  aboveInputTokens: 200_000,
  inputNanoUsdPerMtok: 6_000_000_000n,
  outputNanoUsdPerMtok: 22_500_000_000n,
  cacheReadNanoUsdPerMtok: 600_000_000n,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};

describe('the prices of a model', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  let second = 0;
  const put = (prices: TokenPrices, id = 'm') =>
    putModel(database.db, { id, facts: {}, prices, now: new Date(Date.UTC(2026, 0, 1, 0, 0, second++)) });

  it('are read as they were written, with the long-input prices', async () => {
    await put({ ...FLAT, longInput: LONG });
    const { prices } = await loadCatalogue(database.db);
    expect(prices).toMatchObject([{ modelId: 'm', ...FLAT, longInput: LONG }]);
    const [model] = await listModels(database.db, new Date());
    expect(model?.prices).toMatchObject({ ...FLAT, longInput: LONG });
  });

  it('are read with the 1-hour cache-write price, for input of either length', async () => {
    const hourly = {
      ...FLAT,
      cacheWriteNanoUsdPerMtok: 3_750_000_000n,
      cacheWrite1hNanoUsdPerMtok: 6_000_000_000n,
    };
    const long = {
      ...LONG,
      cacheWriteNanoUsdPerMtok: 7_500_000_000n,
      cacheWrite1hNanoUsdPerMtok: 12_000_000_000n,
    };
    await put({ ...hourly, longInput: long }, 'hourly');
    const { prices } = await loadCatalogue(database.db);
    expect(prices.filter(({ modelId }) => modelId === 'hourly')).toMatchObject([
      { ...hourly, longInput: long },
    ]);
    expect(await put({ ...hourly, longInput: long }, 'hourly')).toMatchObject({ priceAdded: false });
    expect(await put({ ...hourly, cacheWrite1hNanoUsdPerMtok: null }, 'hourly')).toMatchObject({
      priceAdded: true,
    });
  });

  it('get a new version if only the long-input prices change, and none if nothing changes', async () => {
    expect(await put({ ...FLAT, longInput: LONG })).toMatchObject({ priceAdded: false });
    expect(await put({ ...FLAT, longInput: { ...LONG, aboveInputTokens: 128_000 } })).toMatchObject({
      priceAdded: true,
    });
    expect(await put(FLAT)).toMatchObject({ priceAdded: true });
    expect(await put({ ...FLAT, longInput: null })).toMatchObject({ priceAdded: false });
  });

  it.each([
    ['input', { inputNanoUsdPerMtok: 2_999_999_999n }],
    ['output', { outputNanoUsdPerMtok: 1n }],
    ['what is read from a cache', { cacheReadNanoUsdPerMtok: 299_999_999n }],
    ['what is written to a cache', { cacheWriteNanoUsdPerMtok: 2_999_999_999n }],
    ['what is written for an hour', { cacheWrite1hNanoUsdPerMtok: 2_999_999_999n }],
  ])('are refused if long input makes %s cheaper', async (_, change) => {
    await expect(put({ ...FLAT, longInput: { ...LONG, ...change } }, 'cheaper')).rejects.toMatchObject({
      cause: { constraint_name: expect.stringMatching(/^model_prices_long_(is_dearer|cache_write_1h)$/) },
    });
  });

  it('are refused if the long-input prices are incomplete', async () => {
    const half = database.db
      .sql`UPDATE model_prices SET above_input_tokens = 5, long_input_nano_usd_per_mtok = NULL`;
    await expect(half).rejects.toMatchObject({ constraint_name: 'model_prices_long_is_whole' });
  });
});
