import type { RoutingStrategy } from '@tollgate/core/models/routing-policy';
import { NO_USAGE } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import type { StrategyChoice } from '@tollgate/core/requests/route-choice';
import type { RouteStrategies } from '@tollgate/upstreams/routing/strategies/route-strategies';
import type { Model, Price } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';

/** How the strategy of a model compares the routes of a request. */
export interface RouteComparison {
  strategies: RouteStrategies;
  strategy: RoutingStrategy;
  price: Price;
  inputTokens: number;
  /** Likely output. */
  outputTokens: number;
}

/**
 * How the strategy of a model compares the routes of a request.
 * @param getOutputTokens called only if the strategy needs it
 * @returns null: by their weights
 */
export function createComparison(
  strategies: RouteStrategies,
  { model, price }: { model: Pick<Model, 'routing'>; price: Price },
  { inputTokens, getOutputTokens }: { inputTokens: number; getOutputTokens: () => number },
): RouteComparison | null {
  const { strategy } = model.routing;
  if (strategy === 'weighted') return null;
  return { strategies, strategy, price, inputTokens, outputTokens: getOutputTokens() };
}

interface Draw {
  accountId: string;
  sessionHash: number | null;
  draw: (route: { id: string }) => number;
}

/** Orders the routes of one request by the strategy of its model. */
export class StrategyOrdering {
  readonly #comparison: RouteComparison;
  readonly #draw: Draw;
  #hasFirst = false;
  /** Why the first route is the first; null: a draw. */
  choice: StrategyChoice | null = null;

  constructor(comparison: RouteComparison, draw: Draw) {
    this.#comparison = comparison;
    this.#draw = draw;
  }

  /** Called for the routes of each priority in turn. */
  order(routes: readonly Route[]): readonly Route[] {
    if (routes.length === 0) return routes;
    const { strategies, strategy } = this.#comparison;
    const isFirst = !this.#hasFirst;
    this.#hasFirst = true;
    const { routes: ordered, choice } = strategies.order(strategy, routes, {
      ...this.#draw,
      mayProbe: isFirst,
      // Each credential of a provider has its own limits.
      getLimitIds: (route) => route.byCredential?.map(({ id }) => id) ?? [route.id],
      getCost: (route, warmTokens) => this.#getCost(route, warmTokens),
    });
    if (isFirst) this.choice = choice;
    return ordered;
  }

  #getCost(route: Route, warmTokens: number): bigint {
    const { price, inputTokens, outputTokens } = this.#comparison;
    const cacheReadTokens = Math.min(warmTokens, inputTokens);
    const usage = {
      ...NO_USAGE,
      inputTokens: Math.ceil(inputTokens) - Math.floor(cacheReadTokens),
      cacheReadTokens: Math.floor(cacheReadTokens),
      outputTokens: Math.ceil(outputTokens),
    };
    return computeCost(usage, price, route.costPpm);
  }
}
