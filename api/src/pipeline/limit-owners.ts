import type { LimitOwners } from '@tollgate/limits/limit-store';
import type { EndpointSpec } from '../endpoints.ts';
import type { CachedKey } from '../keys/key-cache.ts';

/** Free requests per minute of a key, or of an account whose plan sets none, if no limit is configured. */
const FREE_RPM = 600;
const FREE_ACCOUNT_RPM = 3_000;

/** The windows that a key's metered requests count in. */
export function getOwners({ id, accountId, rpm, tpm, plan }: CachedKey): LimitOwners {
  return { accountId, keyId: id, key: { rpm, tpm }, account: { rpm: plan.rpm, tpm: plan.tpm } };
}

/**
 * The windows that a key's free requests (token counts) count in: the same number per minute as metered requests, counted
 * separately. They always have a limit, because they cost the gateway time and the caller nothing.
 */
function getFreeOwners({ id, accountId, rpm, plan }: CachedKey): LimitOwners {
  return {
    accountId: `${accountId}:free`,
    keyId: `${id}:free`,
    key: { rpm: rpm ?? FREE_RPM, tpm: null },
    account: { rpm: plan.rpm ?? FREE_ACCOUNT_RPM, tpm: null },
  };
}

/** The windows that a request counts in; null: no limits apply. */
export function ownersFor(spec: Pick<EndpointSpec, 'isMetered'>, key: CachedKey): LimitOwners | null {
  if (!spec.isMetered) return getFreeOwners(key);
  const { rpm, tpm, plan } = key;
  const isLimited = rpm !== null || tpm !== null || plan.rpm !== null || plan.tpm !== null;
  return isLimited ? getOwners(key) : null;
}
