import type { RoutingStrategy } from '@tollgate/core/models/routing-policy';
import type { StrategyChoice } from '@tollgate/core/requests/route-choice';
import type { Clock } from '@tollgate/core/runtime/clock';
import { orderRoutes } from '../order-routes.ts';
import { rankRoutes, type RankedRoutes, type StrategyRoute } from './rank-routes.ts';
import { RemainingLimits } from './remaining-limits.ts';
import { RouteLatencies } from './route-latencies.ts';
import { WarmRoutes, type WarmRoute } from './warm-routes.ts';

/** The share of requests that measure the route whose numbers are the oldest. */
const EXPLORED = 0.015;
/** Routes that differ less are equally good: their weights, or the session, decide. */
const SIMILAR = 1.1;
/** A session stays on its route while that is at most this much slower: its prompt cache saves time and cost. */
const LATENCY_LOYALTY = 1.5;
/** A session stays on its route while that has at least half of the share of the best one left. */
const USAGE_LOYALTY = 2;

/** The request whose routes are ordered. */
export interface StrategyRequest<Route> {
  accountId: string;
  sessionHash: number | null;
  /** As in `orderRoutes`. */
  draw: (route: Route) => number;
  /** False: these routes are tried only after others, so that they are not measured on purpose. */
  mayProbe: boolean;
  /** The ids under which the limits of a route were noted. */
  getLimitIds: (route: Route) => readonly string[];
  /** @returns nano-dollars that the request is likely to cost at the route's provider, if it can read so much from its cache */
  getCost: (route: Route, warmTokens: number) => bigint;
}

export interface StrategyOrder<Route> {
  routes: Route[];
  /** null: a draw by weight, or by the session. */
  choice: StrategyChoice | null;
}

/** Orders routes by the strategies of their models, and has what this process knows about them for that. */
export class RouteStrategies {
  readonly latencies: RouteLatencies;
  readonly limits: RemainingLimits;
  readonly warm: WarmRoutes;
  readonly #random: () => number;

  constructor(clock: Clock, random: () => number = Math.random) {
    this.latencies = new RouteLatencies(clock);
    this.limits = new RemainingLimits(clock);
    this.warm = new WarmRoutes(clock);
    this.#random = random;
  }

  /** @param routes of one priority, and equal in the dialect that they need */
  order<Route extends StrategyRoute>(
    strategy: RoutingStrategy,
    routes: readonly Route[],
    request: StrategyRequest<Route>,
  ): StrategyOrder<Route> {
    if (routes.length <= 1) return { routes: [...routes], choice: null };
    const warm = this.warm.find(request.sessionHash);
    switch (strategy) {
      case 'weighted':
        return { routes: orderRoutes(routes, request.draw), choice: null };
      case 'lowest-latency':
        return this.#byLatency(routes, request, warm);
      case 'lowest-price':
        return this.#byPrice(routes, request, warm);
      case 'usage-based':
        return this.#byUsage(routes, request, warm);
    }
  }

  /** Forgets removed routes. */
  keepOnly(isKept: (routeId: string) => boolean): void {
    for (const each of [this.latencies, this.limits, this.warm]) each.keepOnly(isKept);
  }

  #byLatency<Route extends StrategyRoute>(
    routes: readonly Route[],
    { accountId, draw, mayProbe }: StrategyRequest<Route>,
    warm: WarmRoute | null,
  ): StrategyOrder<Route> {
    const routeIds = routes.map(({ routeId }) => routeId);
    const times = this.latencies.estimate(routeIds, accountId);
    const ranked = rankRoutes(routes, {
      getScore: ({ routeId }) => times.get(routeId) ?? null,
      draw,
      similar: SIMILAR,
      warmRouteId: warm?.routeId ?? null,
      loyalty: LATENCY_LOYALTY,
    });
    const probe = mayProbe ? this.#findProbe(ranked.routes, warm !== null) : null;
    if (probe !== null)
      return {
        routes: [probe, ...ranked.routes.filter((route) => route !== probe)],
        choice: 'latency probe',
      };
    return { routes: ranked.routes, choice: describe('latency', ranked, (ms) => ms) };
  }

  /** A route other than the first that this request measures; null: none. */
  #findProbe<Route extends StrategyRoute>([, ...others]: readonly Route[], isWarm: boolean): Route | null {
    const stale = others.find(
      ({ routeId }) => this.latencies.isStale(routeId) && this.latencies.tryProbe(routeId),
    );
    if (stale !== undefined) return stale;
    // It would read its whole input again.
    if (isWarm || this.#random() >= EXPLORED) return null;
    const oldest = this.latencies.findOldest(others.map(({ routeId }) => routeId));
    const route = others.find(({ routeId }) => routeId === oldest);
    return route !== undefined && this.latencies.tryProbe(route.routeId) ? route : null;
  }

  /** The cost decides alone: that of the session's route includes what its prompt cache saves. */
  #byPrice<Route extends StrategyRoute>(
    routes: readonly Route[],
    { draw, getCost }: StrategyRequest<Route>,
    warm: WarmRoute | null,
  ): StrategyOrder<Route> {
    const ranked = rankRoutes(routes, {
      getScore: (route) => Number(getCost(route, route.routeId === warm?.routeId ? warm.tokens : 0)),
      draw,
      similar: 1,
      warmRouteId: warm?.routeId ?? null,
      loyalty: 1,
    });
    return { routes: ranked.routes, choice: describe('price', ranked, (nanoUsd) => nanoUsd) };
  }

  #byUsage<Route extends StrategyRoute>(
    routes: readonly Route[],
    { draw, getLimitIds }: StrategyRequest<Route>,
    warm: WarmRoute | null,
  ): StrategyOrder<Route> {
    const ranked = rankRoutes(routes, {
      getScore: (route) => 1 / this.limits.getShare(getLimitIds(route)),
      draw,
      similar: SIMILAR,
      warmRouteId: warm?.routeId ?? null,
      loyalty: USAGE_LOYALTY,
    });
    return { routes: ranked.routes, choice: describe('usage', ranked, (score) => 100 / score) };
  }
}

function describe(
  name: 'latency' | 'price' | 'usage',
  { score, isLoyal }: RankedRoutes<unknown>,
  toNumber: (score: number) => number,
): StrategyChoice | null {
  if (score === null) return null;
  const number = Math.round(toNumber(score));
  return isLoyal && name !== 'price' ? `${name} session ${number}` : `${name} ${number}`;
}
