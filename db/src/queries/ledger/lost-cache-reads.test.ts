import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it } from 'vitest';
import { putModel } from '../models/models.ts';
import { listLostCacheReads } from './lost-cache-reads.ts';
import { createOwner } from './used-ledger.fixture.ts';

const MINUTE = 60_000;
const PRICES = {
  inputNanoUsdPerMtok: 1_000_000_000n,
  outputNanoUsdPerMtok: 1n,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};

it('sums what recent sessions lost when their route changed, by model', async () => {
  await using database = await createTestDatabase();
  const owner = await createOwner(database, 'internal');
  const startMs = Date.now() - 60 * MINUTE;
  const addPrice = async (id: string, cacheReadNanoUsdPerMtok: bigint | null) => {
    const prices = { ...PRICES, cacheReadNanoUsdPerMtok };
    await putModel(database.db, { id, facts: {}, prices, now: new Date(startMs) });
    const [price] = await database.db.sql<
      { id: bigint }[]
    >`SELECT id FROM model_prices WHERE model_id = ${id}`;
    return Number(price?.id);
  };
  const cached = await addPrice('m', 100_000_000n);
  const plain = await addPrice('plain', null);
  let serial = 0;
  const turn = (sessionHash: number, routeId: string, rest: object) => {
    serial += 1;
    const startedAtMs = startMs + serial * MINUTE;
    return requestRecord(owner, {
      model: 'm',
      priceId: cached,
      sessionHash,
      routeId,
      startedAtMs,
      errorCode: null,
      ...rest,
    });
  };
  await commitBatch(database.db, {
    settlements: [
      turn(1, 'a', { inputTokens: 5_000 }),
      turn(1, 'a', { inputTokens: 1_000, cacheReadTokens: 5_000 }),
      // The provider before had 6,000 tokens, the new one has 1,000 of them.
      turn(1, 'b', { inputTokens: 6_000, cacheReadTokens: 1_000 }),
      // Back again, where all is still there.
      turn(1, 'a', { inputTokens: 2_000, cacheReadTokens: 7_000 }),
      // Another session, another account's money: not compared with the first one.
      turn(2, 'b', { inputTokens: 9_000 }),
      // No lower price for cached input.
      turn(3, 'a', { inputTokens: 5_000, model: 'plain', priceId: plain }),
      turn(3, 'b', { inputTokens: 5_000, model: 'plain', priceId: plain }),
      // Too long ago to be in any cache.
      turn(4, 'a', { inputTokens: 5_000 }),
      turn(4, 'b', { inputTokens: 5_000, startedAtMs: startMs + (serial + 6) * MINUTE }),
    ],
  });
  expect(await listLostCacheReads(database.db, new Date(startMs))).toEqual([
    { model: 'm', changes: 2, tokens: 5_000, costNanoUsd: 4_500_000n },
  ]);
});
