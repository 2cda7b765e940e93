import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it } from 'vitest';
import { isDrifting, listCostDrift } from './cost-drift.ts';
import { createOwner } from './used-ledger.fixture.ts';

it('compares reported with computed costs by model and route, without the multiplier of plans', async () => {
  await using database = await createTestDatabase();
  const owner = await createOwner(database, 'internal');
  const request = (model: string, costNanoUsd: bigint, reportedCostNanoUsd: bigint | null, rest = {}) =>
    requestRecord(owner, {
      model,
      routeId: `route_${model}`,
      costNanoUsd,
      reportedCostNanoUsd,
      priceId: 1,
      ...rest,
    });
  await commitBatch(database.db, {
    settlements: [
      request('exact', 1_000n, 1_000n),
      request('exact', 1_200n, 1_000n, { pricePpm: 1_200_000 }),
      request('dearer', 1_000n, 1_011n),
      request('dearer', 1_000n, null),
      request('dearer', 1_000n, 9_000n, { estimated: true }),
      request('cheaper', 1_000n, 500n),
      request('close', 1_000n, 1_010n),
    ],
  });
  const rows = await listCostDrift(database.db, new Date(Date.now() - 60_000));
  expect(rows.map((row) => [row.model, row.requests, row.driftPpm, isDrifting(row)])).toEqual([
    ['cheaper', 1, -500_000, true],
    ['dearer', 1, 10_880, true],
    ['close', 1, 9_901, false],
    ['exact', 2, 0, false],
  ]);
  expect(rows[3]).toMatchObject({ reportedNanoUsd: 2_000n, computedNanoUsd: 2_000n, routeId: 'route_exact' });
  expect(await listCostDrift(database.db, new Date(Date.now() + 60_000))).toEqual([]);
});
