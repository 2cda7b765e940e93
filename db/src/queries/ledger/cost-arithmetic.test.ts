import { splitAtHold } from '@tollgate/core/money/rates/compute-cost';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { holdRequest, getSettlement } from '@tollgate/testing/ledger-records';
import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requests } from '../../schema/requests.ts';
import { createOwner } from './used-ledger.fixture.ts';

const CASES = [0n, 1n, 999n, 1_000n, 1_001n, 10n ** 12n].flatMap((cost) =>
  [1n, 1_000n, 10n ** 9n].map((held) => ({ cost, held })),
);
const OWN_UNBILLED = 7n;

describe('a cost above its hold is split by SQL as by `splitAtHold`', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  /** @param isEstimatedFirst true: after a crash, the costs replace estimates */
  const settle = async (isEstimatedFirst: boolean) => {
    const owner = await createOwner(database, 'internal');
    const all = CASES.map(({ cost, held }) => {
      const hold = holdRequest(owner, { wantNanoUsd: held, inputCostNanoUsd: 1n });
      const amounts = { costNanoUsd: cost, operatorCostNanoUsd: OWN_UNBILLED };
      return { hold, settlement: getSettlement(hold, amounts), expected: splitAtHold(cost, held) };
    });
    const settlements = all.map(({ settlement }) => settlement);
    await commitBatch(database.db, { holds: all.map(({ hold }) => hold) });
    if (isEstimatedFirst) {
      const estimates = settlements.map((record) => ({ ...record, costNanoUsd: 1n, recovered: true }));
      await commitBatch(database.db, { settlements: estimates });
    }
    await commitBatch(database.db, { settlements });
    const ids = settlements.map(({ id }) => id);
    const rows = await database.db.drizzle.select().from(requests).where(inArray(requests.id, ids));
    const stored = new Map(rows.map((row) => [row.id, row]));
    return all.map(({ hold, expected }) => {
      const { costNanoUsd, operatorCostNanoUsd } = stored.get(hold.id) ?? {};
      return { actual: { costNanoUsd, operatorCostNanoUsd }, expected };
    });
  };

  it.each([
    ['when it is settled', false],
    ['when it replaces an estimate', true],
  ])('%s', async (_, isEstimatedFirst) => {
    for (const { actual, expected } of await settle(isEstimatedFirst))
      expect(actual).toEqual({
        costNanoUsd: expected.billedNanoUsd,
        operatorCostNanoUsd: expected.unbilledNanoUsd + OWN_UNBILLED,
      });
  });
});
