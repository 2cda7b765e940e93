import type { ExpectedCacheRead, ExpectedCacheReads } from '@tollgate/limits/expected-cache-reads';
import type { Route } from '../catalogue/route.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { hashSession, type SessionRequest } from './choose-routes.ts';
import { areReadsCounted } from './settlement-values.ts';

/**
 * What the request will probably read from a prompt cache.
 * @returns null if that counts like other input, or no tokens are counted at all
 */
export function expectCacheRead(
  cacheReads: ExpectedCacheReads,
  { key, routes, session }: { key: CachedKey; routes: readonly Route[]; session: SessionRequest },
): ExpectedCacheRead | null {
  if (key.tpm === null && key.plan.tpm === null) return null;
  if (routes.some((route) => areReadsCounted(key.plan, route))) return null;
  const hash = hashSession(session);
  return hash === null ? null : cacheReads.expect(hash);
}
