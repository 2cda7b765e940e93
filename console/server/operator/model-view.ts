import { findLastDays } from '@tollgate/core/requests/last-days';
import type { FallbackModel } from '@tollgate/core/models/fallback-model';
import type { ModelFactsTerms } from '@tollgate/core/models/model-facts';
import type { RoutingPolicy } from '@tollgate/core/models/routing-policy';
import { formatMultiplier } from '@tollgate/core/money/multiplier';
import { formatUsd } from '@tollgate/core/money/money';
import { toPriceTerms, type PriceTerms } from '@tollgate/core/money/price-terms';
import type { RateLine } from '@tollgate/core/money/rates/rate-lines';
import { countPriceMismatches, type RouteMismatches } from '@tollgate/db/queries/contracts/price-mismatches';
import type { ModelPrice } from '@tollgate/db/queries/models/model-prices';
import { listLastHealthChecks } from '@tollgate/db/queries/health-checks/health-checks';
import { listPresetRoutes } from '@tollgate/db/queries/models/model-presets';
import { decodeModelFacts } from '@tollgate/db/queries/models/model-facts';
import { findRoutingPolicy } from '@tollgate/db/queries/models/routing-policy';
import { listModels, type ModelOverview } from '@tollgate/db/queries/models/models';
import { listNextPriceTimes, listPriceVersions } from '@tollgate/db/queries/operator/prices';
import { listRoutes } from '@tollgate/db/queries/catalogue/routes';
import { findMissingRates } from '@tollgate/upstreams/catalogue/missing-rates';
import type { Context } from '../context.ts';
import { notFound } from '../denial.ts';

const MISMATCH_DAYS = 7;

/** A model among all. */
export interface ModelListRow extends ModelFactsTerms {
  id: string;
  /** In force now, in USD per million tokens; null: none is, and the model answers no one. */
  price: { inputUsd: string; outputUsd: string } | null;
  /** null: the price stays. */
  nextPriceAt: string | null;
  routeCount: number;
  /** Models to try if its routes fail, in this order. */
  fallbacks: readonly FallbackModel[];
  /** Published rates that it lacks: requests that need one are rejected. */
  missingRates: RateLine[];
}

export interface PriceVersionRow {
  id: number;
  effectiveFrom: string;
  state: 'scheduled' | 'current' | 'past';
  terms: PriceTerms;
}

export interface RouteRow {
  id: string;
  providerName: string;
  /** null: the same as ours. */
  upstreamModel: string | null;
  priority: number;
  weight: number;
  /** Other names that the provider reports for the model. */
  servedNames: readonly string[];
  /** null: that of the model. */
  contextTokens: number | null;
  /** Cost at the provider relative to the price of the model. */
  costMultiplier: string;
  /** Price mismatches of the last 7 days. */
  mismatches: { requests: number; example: string } | null;
  /** The newest health check by any replica; null: the model has none, or the route was not checked yet. */
  healthCheck: { at: string; error: string | null } | null;
}

export interface ModelDetail extends ModelListRow {
  routing: RoutingPolicy;
  prices: PriceVersionRow[];
  /** In the order in which they are tried. */
  routeList: RouteRow[];
}

export async function readModels({ deps }: Context): Promise<ModelListRow[]> {
  const now = new Date(deps.clock.nowMs());
  const [models, nextTimes, routes] = await Promise.all([
    listModels(deps.db, now),
    listNextPriceTimes(deps.db, now),
    listPresetRoutes(deps.db),
  ]);
  return models.map((model) => {
    const own = routes.filter(({ modelId }) => modelId === model.id);
    return {
      ...toModelRow(model, nextTimes.get(model.id) ?? null),
      missingRates: findMissingRates(model, own),
    };
  });
}

export async function readModel(ctx: Context, modelId: string): Promise<ModelDetail> {
  const { db, clock } = ctx.deps;
  const recent = { days: MISMATCH_DAYS, timeZone: ctx.timeZone, nowMs: clock.nowMs() };
  const since = new Date(findLastDays(recent).fromMs);
  const model = (await readModels(ctx)).find(({ id }) => id === modelId);
  if (model === undefined) throw notFound('model');
  const [routing, versions, routes, mismatches, checks] = await Promise.all([
    findRoutingPolicy(db, modelId),
    listPriceVersions(db, modelId),
    listRoutes(db),
    countPriceMismatches(db, since),
    listLastHealthChecks(db, modelId),
  ]);
  // It was removed meanwhile.
  if (routing === null) throw notFound('model');
  const lastChecks = new Map(
    checks.map(({ routeId, at, error }) => [routeId, { at: at.toISOString(), error }]),
  );
  const byRoute = new Map(mismatches.map((row) => [row.routeId, row]));
  return {
    ...model,
    routing,
    prices: toVersionRows(versions, clock.nowMs()),
    routeList: routes
      .filter((route) => route.modelId === modelId)
      .map((route) => ({
        id: route.id,
        providerName: route.providerName,
        upstreamModel: route.upstreamModel,
        priority: route.priority,
        weight: route.weight,
        servedNames: route.servedNames,
        contextTokens: route.contextTokens,
        costMultiplier: formatMultiplier(route.costPpm),
        mismatches: toMismatches(byRoute.get(route.id)),
        healthCheck: routing.healthCheckIntervalS === null ? null : (lastChecks.get(route.id) ?? null),
      })),
  };
}

function toMismatches(found: RouteMismatches | undefined): RouteRow['mismatches'] {
  return found === undefined ? null : { requests: found.requests, example: found.example };
}

function toModelRow(model: ModelOverview, nextPriceAt: Date | null): Omit<ModelListRow, 'missingRates'> {
  const { id, prices, routes } = model;
  return {
    ...decodeModelFacts(model),
    id,
    price: prices && {
      inputUsd: formatUsd(prices.inputNanoUsdPerMtok),
      outputUsd: formatUsd(prices.outputNanoUsdPerMtok),
    },
    nextPriceAt: nextPriceAt?.toISOString() ?? null,
    routeCount: routes,
    fallbacks: model.fallbacks,
  };
}

/** @param versions the newest first */
function toVersionRows(versions: readonly ModelPrice[], nowMs: number): PriceVersionRow[] {
  const currentId = versions.find(({ effectiveFrom }) => effectiveFrom.getTime() <= nowMs)?.id;
  return versions.map((version) => ({
    id: version.id,
    effectiveFrom: version.effectiveFrom.toISOString(),
    state: getState(version, currentId, nowMs),
    terms: toPriceTerms(version),
  }));
}

function getState(version: ModelPrice, currentId: number | undefined, nowMs: number) {
  if (version.id === currentId) return 'current';
  return version.effectiveFrom.getTime() > nowMs ? 'scheduled' : 'past';
}
