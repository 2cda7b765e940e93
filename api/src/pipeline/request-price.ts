import type { Route } from '../catalogue/route.ts';
import type { CachedKey } from '../keys/key-cache.ts';

type PlanPrices = Pick<CachedKey['plan'], 'pricePpm' | 'ownCredentialPpm'>;

/** True: the provider bills the account, which pays only a fee to the gateway. */
export function isOwn(route: Pick<Route, 'isOwn'> | null): boolean {
  return route?.isOwn === true;
}

/** The multiplier of a request's price: with a credential of the account, it pays only the fee of its plan. */
export function getPricePpm(plan: PlanPrices, route: Pick<Route, 'isOwn'> | null): number {
  return isOwn(route) ? plan.ownCredentialPpm : plan.pricePpm;
}

/**
 * The multiplier of what is put on hold: the highest that may apply.
 * @param routes null: the routes of several models
 */
export function getHoldPpm(plan: PlanPrices, routes: readonly Route[] | null): number {
  const { pricePpm, ownCredentialPpm } = plan;
  if (routes !== null && routes.length > 0 && routes.every(isOwn)) return ownCredentialPpm;
  return routes === null || routes.some(isOwn) ? Math.max(pricePpm, ownCredentialPpm) : pricePpm;
}
