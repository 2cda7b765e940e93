import { hashText } from '@tollgate/core/runtime/hash-text';

export interface Weighted {
  id: string;
  /** The lowest value is tried first. */
  priority: number;
  /** Relative chance to be first within the same priority. */
  weight: number;
}

/**
 * Orders routes by priority, and within a priority at random by weight: each route waits for an exponential time whose rate is
 * its weight, so the chance to be first is its share of the weights.
 * @param draw a number for the route, at least 0 and below 1
 */
export function orderRoutes<Route extends Weighted>(
  routes: readonly Route[],
  draw: (route: Route) => number,
): Route[] {
  if (routes.length <= 1) return [...routes];
  return routes
    .map((route) => ({ route, wait: -Math.log(1 - draw(route)) / route.weight }))
    .toSorted((a, b) => a.route.priority - b.route.priority || a.wait - b.wait)
    .map(({ route }) => route);
}

/**
 * Draws the same number for the same session and route in every process: weighted rendezvous hashing
 * (https://www.snia.org/sites/default/files/SDC15_presentations/dist_sys/Jason_Resch_New_Consistent_Hashings_Rev.pdf). A session
 * keeps its route as long as the route exists; of the sessions of others, an added route takes only its share.
 */
export function drawForSession(session: number): (route: { id: string }) => number {
  return ({ id }) => hashText(`${session}/${id}`) / 2 ** 53;
}
