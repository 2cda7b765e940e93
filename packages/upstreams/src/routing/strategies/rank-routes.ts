import { orderRoutes, type Weighted } from '../order-routes.ts';

/** A route of a model, perhaps with one credential of its provider. */
export interface StrategyRoute extends Weighted {
  /** The same with each credential: what is known about a route has this id. */
  routeId: string;
}

interface Ranking<Route> {
  /** The lowest is the best; null: unknown, after all others. */
  getScore: (route: Route) => number | null;
  /** As in `orderRoutes`, among routes that are about as good as the best one. */
  draw: (route: Route) => number;
  /** Routes whose score is at most this factor above the best one are equally good. */
  similar: number;
  /** The route whose prompt cache has the session; null: none. */
  warmRouteId: string | null;
  /** The factor up to which that route stays the first one. */
  loyalty: number;
}

/** Routes in their order, with the score of the first one. */
export interface RankedRoutes<Route> {
  routes: Route[];
  /** null: unknown. */
  score: number | null;
  /** The first route is not the best one, but that of the session. */
  isLoyal: boolean;
}

/** Orders routes of one priority by a score. */
export function rankRoutes<Route extends StrategyRoute>(
  routes: readonly Route[],
  { getScore, draw, similar, warmRouteId, loyalty }: Ranking<Route>,
): RankedRoutes<Route> {
  const scored = routes
    .map((route) => ({ route, score: getScore(route) }))
    .toSorted((a, b) => (a.score ?? Infinity) - (b.score ?? Infinity));
  const best = scored[0]?.score ?? null;
  const isWithin = (score: number | null, factor: number) =>
    best === null || (score !== null && score <= best * factor);
  const equals = scored.filter(({ score }) => isWithin(score, similar)).map(({ route }) => route);
  const rest = scored.slice(equals.length).map(({ route }) => route);
  const ordered = [...orderRoutes(equals, draw), ...rest];
  const warm = scored.find(({ route, score }) => route.routeId === warmRouteId && isWithin(score, loyalty));
  if (warm === undefined) return { routes: ordered, score: findScore(scored, ordered[0]), isLoyal: false };
  return {
    routes: [warm.route, ...ordered.filter((route) => route !== warm.route)],
    score: warm.score,
    isLoyal: !isWithin(warm.score, 1),
  };
}

function findScore<Route>(
  scored: readonly { route: Route; score: number | null }[],
  first: Route | undefined,
): number | null {
  return scored.find(({ route }) => route === first)?.score ?? null;
}
