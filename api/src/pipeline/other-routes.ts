import type { Model } from '../catalogue/catalogue.ts';
import { hasLargerContext } from '../catalogue/model-routing.ts';
import type { Route } from '../catalogue/route.ts';
import type { RefusalCause } from './relay.ts';

/** True for another route with the same price. */
export function isOtherRoute(route: Route, { routeId, isOwn }: Route): boolean {
  return route.routeId !== routeId && route.isOwn === isOwn;
}

/**
 * True if another route may accept a refused request. A larger input needs a larger context window, and refused content needs
 * the operator's consent. A provider refuses a request whatever the credential.
 */
export function mayAccept(model: Model, other: Route, refusing: Route, cause: RefusalCause): boolean {
  if (other.routeId === refusing.routeId) return false;
  if (cause === 'content_policy') return model.routing.contentPolicyFailover;
  return hasLargerContext(model, other, refusing);
}
