import { createTestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue/catalogue.ts';
import { putModel, removeModel } from './models.ts';
import { listPriceVersions, setModelPrice } from '../operator/prices.ts';
import { createAccountFixture } from '@tollgate/testing/factories';

const USD = 1_000_000_000n;
const prices = (input: bigint) => ({
  inputNanoUsdPerMtok: input,
  outputNanoUsdPerMtok: 15n * USD,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
});
const HOUR_MS = 3_600_000;

describe('a removed model', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('keeps past and current prices, loses future ones, and gets a new price when it is added again', async () => {
    const { db } = database;
    const before = new Date(Date.now() - HOUR_MS);
    await putModel(db, { id: 'm', facts: {}, prices: prices(3n * USD), now: before });
    const actorUserId = (await createAccountFixture(db)).user.id;
    await setModelPrice(db, {
      modelId: 'm',
      prices: prices(9n * USD),
      effectiveFrom: new Date(Date.now() + HOUR_MS),
      actorUserId,
    });
    await removeModel(db, 'm');
    expect(await listPriceVersions(db, 'm')).toMatchObject([{ inputNanoUsdPerMtok: 3n * USD }]);
    expect((await loadCatalogue(db)).prices).toEqual([]);

    await putModel(db, { id: 'm', facts: {}, prices: prices(4n * USD), now: new Date() });
    expect((await listPriceVersions(db, 'm')).map((price) => price.inputNanoUsdPerMtok)).toEqual([
      4n * USD,
      3n * USD,
    ]);
  });
});
