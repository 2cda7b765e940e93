import type { CachedKey } from '../keys/key-cache.ts';
import { RequestHold } from './request-hold.ts';

/**
 * False if neither a balance nor a budget limits what the key spends: a missing rate then refuses nothing. Its usage is left
 * out of the cost, and the request is marked with what is missing.
 */
export function needsRates(key: CachedKey): boolean {
  return RequestHold.isNeeded(key) && getHighestPpm(key) !== 0;
}

function getHighestPpm({ plan, ownCredentials }: CachedKey): number {
  return ownCredentials === null ? plan.pricePpm : Math.max(plan.pricePpm, plan.ownCredentialPpm);
}
