import type { OperatorModel } from '../operator-types.ts';

type RouteRow = OperatorModel['routeList'][number];

/** A route in the order that is being edited. */
export interface PlacedRoute {
  id: string;
  providerName: string;
  upstreamModel: string | null;
  servedNames: readonly string[];
  /** null: that of the model. */
  contextTokens: number | null;
  costMultiplier: string;
  /** As typed. */
  weight: string;
  /** Load-balances with the previous route by weight instead of being its fallback. */
  isShared: boolean;
  /** Responses of the last 7 days that differ from what was priced. */
  mismatches: RouteRow['mismatches'];
  /** The newest health check; null: none. */
  healthCheck: RouteRow['healthCheck'];
}

/** @param routes in the order in which they are tried */
export function getPlaces(routes: readonly RouteRow[]): PlacedRoute[] {
  return routes.map((route, index) => ({
    id: route.id,
    providerName: route.providerName,
    upstreamModel: route.upstreamModel,
    servedNames: route.servedNames,
    contextTokens: route.contextTokens,
    costMultiplier: route.costMultiplier,
    weight: String(route.weight),
    isShared: routes[index - 1]?.priority === route.priority,
    mismatches: route.mismatches,
    healthCheck: route.healthCheck,
  }));
}

/** Moves a route. The first route never shares with a previous one. */
export function moveRoute(places: readonly PlacedRoute[], from: number, to: number): PlacedRoute[] {
  const moved = places[from];
  if (moved === undefined || to < 0 || to >= places.length) return [...places];
  const rest = places.toSpliced(from, 1).toSpliced(to, 0, moved);
  return rest.map((place, index) => (index === 0 ? { ...place, isShared: false } : place));
}

/** Converts to the server's input; null if a weight is invalid. */
export function readPlaces(
  places: readonly PlacedRoute[],
): { id: string; priority: number; weight: number }[] | null {
  let priority = -1;
  const read = places.map(({ id, weight, isShared }, index) => {
    if (index === 0 || !isShared) priority += 1;
    return { id, priority, weight: Number(weight) };
  });
  const isValid = read.every(({ weight }) => Number.isInteger(weight) && weight >= 1 && weight <= 1000);
  return isValid ? read : null;
}
