import { isDrifting } from '@tollgate/core/money/cost-drift';
import { lte } from 'drizzle-orm';
import { costDriftAlerts } from '../../schema/contracts.ts';
import type { Connection } from '../../transaction.ts';
import { listCostDrift, type CostDrift } from './cost-drift.ts';

/** Below these, drift may come from rounding. */
const MIN_REQUESTS = 10;
const MIN_DIFFERENCE_NANO_USD = 10_000_000n;

/**
 * Claims the models and routes of whose drift operators are to be notified, each at most once in `everyMs`. Runs in the
 * transaction that queues the emails.
 * @param since earliest start of the requests that count
 * @returns the largest difference first
 */
export async function claimDriftAlerts(
  tx: Connection,
  { since, now, everyMs }: { since: Date; now: Date; everyMs: number },
): Promise<CostDrift[]> {
  const found = (await listCostDrift(tx, since)).filter((row) => isDrifting(row.driftPpm) && isSizable(row));
  if (found.length === 0) return [];
  // In the order of the key, so that two consoles do not wait for each other's rows.
  const sorted = found
    .map(toKey)
    .toSorted((a, b) => compare(a.model, b.model) || compare(a.routeId, b.routeId));
  const claimed = new Set<string>();
  for (const key of sorted) {
    const rows = await tx.drizzle
      .insert(costDriftAlerts)
      .values({ ...key, notifiedAt: now })
      .onConflictDoUpdate({
        target: [costDriftAlerts.model, costDriftAlerts.routeId],
        set: { notifiedAt: now },
        setWhere: lte(costDriftAlerts.notifiedAt, new Date(now.getTime() - everyMs)),
      })
      .returning({ model: costDriftAlerts.model });
    if (rows.length > 0) claimed.add(JSON.stringify(key));
  }
  return found.filter((row) => claimed.has(JSON.stringify(toKey(row))));
}

function isSizable({ requests, reportedNanoUsd, computedNanoUsd }: CostDrift): boolean {
  const difference = reportedNanoUsd - computedNanoUsd;
  const size = difference < 0n ? -difference : difference;
  return requests >= MIN_REQUESTS && size >= MIN_DIFFERENCE_NANO_USD;
}

function toKey({ model, routeId }: CostDrift): { model: string; routeId: string } {
  return { model, routeId: routeId ?? '' };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
