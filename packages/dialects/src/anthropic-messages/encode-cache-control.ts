import type { CacheBreakpoint } from '@tollgate/core/completion/content';
import type { JsonObject } from '../json/parse-object.ts';

/** @returns the member to spread into a block, or nothing */
export function encodeCacheControl(cache: CacheBreakpoint | null): JsonObject {
  if (cache === null) return {};
  const ttl = cache.ttl === null ? {} : { ttl: cache.ttl };
  return { cache_control: { type: 'ephemeral', ...ttl } };
}
