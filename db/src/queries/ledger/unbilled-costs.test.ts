import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase } from '@tollgate/testing/database';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { expect, it } from 'vitest';
import { createOwner } from './used-ledger.fixture.ts';
import { listUnbilledCosts } from './unbilled-costs.ts';

const MINUTE_MS = 60_000;

it('sums unbilled cost by model and route, of requests since a time', async () => {
  await using database = await createTestDatabase();
  const owner = await createOwner(database, 'internal');
  const request = (model: string, routeId: string | null, operatorCostNanoUsd: bigint, agoMs = 0) =>
    requestRecord(owner, { model, routeId, operatorCostNanoUsd, startedAtMs: Date.now() - agoMs });
  await commitBatch(database.db, {
    settlements: [
      request('small', 'route_a', 700n),
      request('small', 'route_a', 300n),
      request('small', 'route_a', 0n),
      request('small', 'route_a', 9_000n, 2 * MINUTE_MS),
      request('small', 'route_b', 40n),
      request('large', null, 5_000n),
      request('billed', 'route_c', 0n),
    ],
  });
  const rows = await listUnbilledCosts(database.db, new Date(Date.now() - MINUTE_MS));
  expect(
    rows.map((row) => [row.model, row.routeId, row.provider, row.requests, row.unbilledNanoUsd]),
  ).toEqual([
    ['large', null, 'p', 1, 5_000n],
    ['small', 'route_a', 'p', 2, 1_000n],
    ['small', 'route_b', 'p', 1, 40n],
  ]);
});
