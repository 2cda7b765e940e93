export interface Weighted {
  /** The lowest value is tried first. */
  priority: number;
  /** Relative chance to be first within the same priority. */
  weight: number;
}

/**
 * Orders routes by priority, and within a priority by weighted random draw without replacement.
 * @param random a new number each time, at least 0 and below 1
 */
export function orderRoutes<Route extends Weighted>(routes: readonly Route[], random: () => number): Route[] {
  if (routes.length <= 1) return [...routes];
  const tiers = Map.groupBy(routes, (route) => route.priority);
  const priorities = [...tiers.keys()].toSorted((a, b) => a - b);
  return priorities.flatMap((priority) => drawByWeight(tiers.get(priority) ?? [], random));
}

function drawByWeight<Route extends Weighted>(tier: readonly Route[], random: () => number): Route[] {
  const left = [...tier];
  const drawn: Route[] = [];
  while (left.length > 1) {
    let ticket = random() * left.reduce((sum, route) => sum + route.weight, 0);
    const found = left.findIndex((route) => (ticket -= route.weight) < 0);
    drawn.push(...left.splice(found < 0 ? left.length - 1 : found, 1));
  }
  return [...drawn, ...left];
}
