import { isDrifting } from '@tollgate/core/money/cost-drift';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { holdRequest, requestRecord, getSettlement } from '@tollgate/testing/ledger-records';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { requests } from '../../schema/requests.ts';
import { listCostDrift } from './cost-drift.ts';
import { createOwner } from './used-ledger.fixture.ts';

it('compares with the cost by the rates, not with the billed amount', async () => {
  await using database = await createTestDatabase();
  const owner = await createOwner(database, 'internal');
  const request = (model: string, rest: object) =>
    requestRecord(owner, { model, routeId: 'route_1', priceId: 1, reportedCostNanoUsd: 1_000n, ...rest });
  const attempt = {
    route: 'route_1',
    provider: 'p',
    upstreamModel: 'm',
    status: 500,
    durationMs: 1,
  } as const;
  const hold = holdRequest(owner, { model: 'capped', wantNanoUsd: 500n, pricePpm: 1_200_000 });
  await commitBatch(database.db, { holds: [hold] });
  await commitBatch(database.db, {
    settlements: [
      getSettlement(hold, { routeId: 'route_1', costNanoUsd: 1_200n, reportedCostNanoUsd: 1_000n }),
      request('mismatch', { costNanoUsd: 90_000n, priceMismatch: 'model other' }),
      request('second attempt', {
        costNanoUsd: 1_000n,
        operatorCostNanoUsd: 700n,
        attempts: [
          { ...attempt, outcome: 'status_500' },
          { ...attempt, outcome: 'answered' },
        ],
      }),
    ],
  });
  const [row] = await database.db.drizzle.select().from(requests).where(eq(requests.id, hold.id));
  expect(row).toMatchObject({ costNanoUsd: 500n, operatorCostNanoUsd: 700n });
  const rows = await listCostDrift(database.db, new Date(Date.now() - 60_000));
  expect(rows.map(({ model, driftPpm }) => [model, driftPpm])).toEqual([['capped', 0]]);
});

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
  expect(rows.map((row) => [row.model, row.requests, row.driftPpm, isDrifting(row.driftPpm)])).toEqual([
    ['cheaper', 1, -500_000, true],
    ['dearer', 1, 10_880, true],
    ['close', 1, 9_901, false],
    ['exact', 2, 0, false],
  ]);
  expect(rows[3]).toMatchObject({ reportedNanoUsd: 2_000n, computedNanoUsd: 2_000n, routeId: 'route_exact' });
  expect(await listCostDrift(database.db, new Date(Date.now() + 60_000))).toEqual([]);
});
