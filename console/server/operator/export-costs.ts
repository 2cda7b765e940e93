import { formatUsd } from '@tollgate/core/money/money';
import {
  listHealthCheckCosts,
  type HealthCheckCosts,
} from '@tollgate/db/queries/health-checks/health-checks';
import { listLostCacheReads, type LostCacheReads } from '@tollgate/db/queries/ledger/lost-cache-reads';
import type { Deps } from '../deps.ts';
import { exportList, getNames, type ExportColumn } from '../exports/export-pages.ts';
import type { Cell } from '../exports/table-text.ts';
import { listRouteCosts, type RouteCosts } from './costs.ts';
import { findPeriod, type ExportedPeriod } from './export-money.ts';

type Rows = AsyncGenerator<Cell[][]>;

const toUsd = (nanoUsd: string | undefined) => (nanoUsd === undefined ? null : formatUsd(BigInt(nanoUsd)));

const ROUTES: readonly ExportColumn<RouteCosts>[] = [
  ['model', ({ model }) => model],
  ['provider', ({ provider }) => provider],
  ['route_id', ({ routeId }) => routeId],
  ['reported_requests', ({ reported }) => reported?.requests ?? null],
  ['reported_usd', ({ reported }) => toUsd(reported?.reportedNanoUsd)],
  ['billed_usd', ({ reported }) => toUsd(reported?.billedNanoUsd)],
  ['drift_ppm', ({ reported }) => reported?.driftPpm ?? null],
  ['unbilled_requests', ({ unbilled }) => unbilled?.requests ?? null],
  ['unbilled_usd', ({ unbilled }) => toUsd(unbilled?.costNanoUsd)],
];

export const PROVIDER_COST_COLUMNS = getNames(ROUTES);

/** Reported, billed and unbilled cost by model and route. */
export function exportProviderCosts(deps: Deps, period: ExportedPeriod): Rows {
  return exportList(ROUTES, async () => listRouteCosts(deps.db, findPeriod(deps, period).from));
}

const CACHE_READS: readonly ExportColumn<LostCacheReads>[] = [
  ['model', ({ model }) => model],
  ['changes', ({ changes }) => changes],
  ['tokens', ({ tokens }) => tokens],
  ['cost_usd', ({ costNanoUsd }) => formatUsd(costNanoUsd)],
];

export const LOST_CACHE_READ_COLUMNS = getNames(CACHE_READS);

/** What changes of the route within sessions cost, by model. */
export function exportLostCacheReads(deps: Deps, period: ExportedPeriod): Rows {
  return exportList(CACHE_READS, async () => listLostCacheReads(deps.db, findPeriod(deps, period).from));
}

const CHECKS: readonly ExportColumn<HealthCheckCosts>[] = [
  ['model', ({ model }) => model],
  ['provider', ({ provider }) => provider],
  ['route_id', ({ routeId }) => routeId],
  ['checks', ({ checks }) => checks],
  ['failed', ({ failures }) => failures],
  ['cost_usd', ({ costNanoUsd }) => formatUsd(costNanoUsd)],
];

export const HEALTH_CHECK_COLUMNS = getNames(CHECKS);

/** What health checks cost, by model and route. */
export function exportHealthCheckCosts(deps: Deps, period: ExportedPeriod): Rows {
  return exportList(CHECKS, async () => listHealthCheckCosts(deps.db, findPeriod(deps, period).from));
}
