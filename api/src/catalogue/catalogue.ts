import { parseModelCapabilities, type ModelCapability } from '@tollgate/core/models/model-capabilities';
import type { FallbackModel } from '@tollgate/core/models/fallback-model';
import type { RoutingPolicy } from '@tollgate/core/models/routing-policy';
import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import type { CatalogueRows } from '@tollgate/db/queries/catalogue/catalogue';
import type { ModelFacts } from '@tollgate/db/queries/models/model-facts';
import type { HttpProvider } from '@tollgate/upstreams/provider';
import { toRoute, type CredentialedProvider, type Route } from './route.ts';

export interface Price extends RateCard {
  id: number;
  effectiveFromMs: number;
}

export interface Model extends Omit<ModelFacts, 'title' | 'capabilities'> {
  id: string;
  /** Display name. */
  title: string;
  createdAt: Date;
  capabilities: readonly ModelCapability[];
  routing: RoutingPolicy;
  /** Models to try if its routes fail, in this order. */
  fallbacks: readonly FallbackModel[];
  /** Latest first. */
  prices: readonly Price[];
  /** By priority, lowest first. */
  routes: readonly Route[];
}

/** A snapshot of every model of the installation. */
export type Catalogue = ReadonlyMap<string, Model>;

/**
 * Builds the catalogue from its rows.
 * @param toProviders the provider with each of its credentials; none if it cannot be used now: its routes are left out
 */
export function buildCatalogue(
  rows: CatalogueRows,
  toProviders: (
    row: CatalogueRows['providers'][number],
    credentials: CatalogueRows['credentials'],
  ) => readonly CredentialedProvider[],
): Catalogue {
  const credentials = Map.groupBy(rows.credentials, (row) => row.providerId);
  const providers = new Map(
    rows.providers.map((row) => [row.id, toProviders(row, credentials.get(row.id) ?? [])]),
  );
  const routes = Map.groupBy(rows.routes, (row) => row.modelId);
  const prices = Map.groupBy(rows.prices, (row) => row.modelId);
  const fallbacks = Map.groupBy(rows.fallbacks, (row) => row.modelId);
  return new Map(
    rows.models.map((row) => [
      row.id,
      {
        id: row.id,
        title: row.title ?? row.id,
        createdAt: row.createdAt,
        capabilities: parseModelCapabilities(row.capabilities),
        retiresAt: row.retiresAt,
        contextTokens: row.contextTokens,
        maxOutputTokens: row.maxOutputTokens,
        routing: {
          strategy: row.strategy,
          firstTokenTimeoutMs: row.firstTokenTimeoutMs,
          hedgeAfterMs: row.hedgeAfterMs,
          retryBudgetMs: row.retryBudgetMs,
          contentPolicyFailover: row.contentPolicyFailover,
          continueStreams: row.continueStreams,
          healthCheckIntervalS: row.healthCheckIntervalS,
        },
        fallbacks: (fallbacks.get(row.id) ?? []).map(({ fallbackId, classes }) => ({
          modelId: fallbackId,
          classes,
        })),
        prices: (prices.get(row.id) ?? [])
          .map(toPrice)
          .toSorted((a, b) => b.effectiveFromMs - a.effectiveFromMs),
        routes: (routes.get(row.id) ?? [])
          .flatMap((route) => {
            const [first, ...others] = providers.get(route.providerId) ?? [];
            return first === undefined ? [] : [toRoute(route, [first, ...others])];
          })
          .toSorted((a, b) => a.priority - b.priority),
      },
    ]),
  );
}

/** The price for a request that started at `startedAtMs`; null if none applies. */
export function findPrice(model: Model, startedAtMs: number): Price | null {
  return model.prices.find((price) => price.effectiveFromMs <= startedAtMs) ?? null;
}

/** True if the model could serve a request of any dialect now. */
export function isCallable(model: Model, nowMs: number): boolean {
  return model.routes.length > 0 && findPrice(model, nowMs) !== null;
}

function toPrice(row: CatalogueRows['prices'][number]): Price {
  return { ...row, effectiveFromMs: row.effectiveFrom.getTime() };
}

/** All routes, each with every credential of its provider. */
export function listAllRoutes(catalogue: Catalogue): Route[] {
  return [...catalogue.values()].flatMap(({ routes }) =>
    routes.flatMap((route) => route.byCredential ?? [route]),
  );
}

/** All providers that a route leads to, except the demo provider. */
export function listHttpProviders(catalogue: Catalogue): HttpProvider[] {
  return listAllRoutes(catalogue).flatMap(({ provider }) => (provider.kind === 'demo' ? [] : [provider]));
}
