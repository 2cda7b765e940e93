import { createTestDatabase } from '@tollgate/testing/database';
import { expect, it } from 'vitest';
import {
  addHealthChecks,
  deleteOldHealthChecks,
  listHealthCheckCosts,
  listLastHealthChecks,
  type HealthCheckCount,
} from './health-checks.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = 500_000 * HOUR_MS;

function count(routeId: string, atMs: number, rest: Partial<HealthCheckCount> = {}): HealthCheckCount {
  return {
    routeId,
    model: 'm',
    provider: 'p',
    hourMs: atMs - (atMs % HOUR_MS),
    checks: 1,
    failures: 0,
    inputTokens: 11,
    outputTokens: 2,
    costNanoUsd: 40n,
    lastCheckedAtMs: atMs,
    lastError: null,
    ...rest,
  };
}

it('adds up the checks of all replicas by route and hour, and knows the newest result', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  const failed = { failures: 1, lastError: 'status_503' };
  await addHealthChecks(db, [count('route_b', NOW_MS), count('route_a', NOW_MS + 10, failed)]);
  // An older result of another replica.
  await addHealthChecks(db, [count('route_a', NOW_MS + 5, { costNanoUsd: 9_000_000_000_000_000_001n })]);
  await addHealthChecks(db, [
    count('route_a', NOW_MS - HOUR_MS),
    count('route_other', NOW_MS, { model: 'n' }),
  ]);
  expect(await listHealthCheckCosts(db, new Date(NOW_MS))).toEqual([
    {
      model: 'm',
      routeId: 'route_a',
      provider: 'p',
      checks: 2,
      failures: 1,
      costNanoUsd: 9_000_000_000_000_000_041n,
    },
    { model: 'm', routeId: 'route_b', provider: 'p', checks: 1, failures: 0, costNanoUsd: 40n },
    { model: 'n', routeId: 'route_other', provider: 'p', checks: 1, failures: 0, costNanoUsd: 40n },
  ]);
  expect(await listLastHealthChecks(db, 'm')).toEqual([
    { routeId: 'route_a', at: new Date(NOW_MS + 10), error: 'status_503' },
    { routeId: 'route_b', at: new Date(NOW_MS), error: null },
  ]);
  await deleteOldHealthChecks(db, new Date(NOW_MS));
  expect((await listHealthCheckCosts(db, new Date(0)))[0]).toMatchObject({ routeId: 'route_a', checks: 2 });
});
