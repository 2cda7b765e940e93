import { parseModelCapabilities, type ModelCapability } from '@tollgate/core/models/model-capabilities';
import type { RateCard } from '@tollgate/core/money/rates/rate-card';
import type { CatalogueRows } from '@tollgate/db/queries/catalogue/catalogue';
import type { Provider } from '@tollgate/upstreams/provider';
import { toRoute, type Route } from './route.ts';

export interface Price extends RateCard {
  id: number;
  effectiveFromMs: number;
}

export interface Model {
  id: string;
  /** For people. */
  title: string;
  createdAt: Date;
  capabilities: readonly ModelCapability[];
  /** null: not announced. */
  retiresAt: Date | null;
  contextTokens: number | null;
  maxOutputTokens: number | null;
  /** The latest first. */
  prices: readonly Price[];
  /** By priority, the lowest first. */
  routes: readonly Route[];
}

/** Every model of the installation, as of one moment. */
export type Catalogue = ReadonlyMap<string, Model>;

/**
 * Builds the catalogue from its rows.
 * @param toProvider null where the provider cannot be used now: its routes are left out
 */
export function buildCatalogue(
  rows: CatalogueRows,
  toProvider: (row: CatalogueRows['providers'][number]) => Provider | null,
): Catalogue {
  const providers = new Map(rows.providers.map((row) => [row.id, toProvider(row)]));
  const routes = Map.groupBy(rows.routes, (row) => row.modelId);
  const prices = Map.groupBy(rows.prices, (row) => row.modelId);
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
        prices: (prices.get(row.id) ?? [])
          .map(toPrice)
          .toSorted((a, b) => b.effectiveFromMs - a.effectiveFromMs),
        routes: (routes.get(row.id) ?? [])
          .flatMap((route) => {
            const provider = providers.get(route.providerId) ?? null;
            return provider === null ? [] : [toRoute(route, provider)];
          })
          .toSorted((a, b) => a.priority - b.priority),
      },
    ]),
  );
}

/** The price that holds for a request that started at `startedAtMs`; null where none does. */
export function findPrice(model: Model, startedAtMs: number): Price | null {
  return model.prices.find((price) => price.effectiveFromMs <= startedAtMs) ?? null;
}

/** True where a request of any dialect could be answered now. */
export function isCallable(model: Model, nowMs: number): boolean {
  return model.routes.length > 0 && findPrice(model, nowMs) !== null;
}

function toPrice(row: CatalogueRows['prices'][number]): Price {
  return { ...row, effectiveFromMs: row.effectiveFrom.getTime() };
}

/** The ids of every route that there is. */
export function listRouteIds(catalogue: Catalogue): Set<string> {
  return new Set([...catalogue.values()].flatMap(({ routes }) => routes.map(({ id }) => id)));
}
