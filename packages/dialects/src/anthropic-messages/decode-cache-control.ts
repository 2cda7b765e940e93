import type { CacheBreakpoint } from '@tollgate/core/completion/content';
import { asObject } from '../json/parse-object.ts';

/** Reads `cache_control` (https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching); null: no breakpoint. */
export function decodeCacheControl(value: unknown): CacheBreakpoint | null {
  const control = asObject(value);
  if (control === null) return null;
  const ttl = control['ttl'];
  return { ttl: ttl === '5m' || ttl === '1h' ? ttl : null };
}
