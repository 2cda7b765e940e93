import type { CacheBreakpoint } from '@tollgate/core/completion/content';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/**
 * Reads the cache breakpoint behind a part, a tool or a message: OpenAI's `prompt_cache_breakpoint`, whose lifetimes
 * begin where Anthropic's end, or Anthropic's `cache_control`, which OpenRouter and others take in this dialect too.
 */
export function decodeCache(carrier: JsonObject): CacheBreakpoint | null {
  const control = asObject(carrier['cache_control']);
  if (control !== null) {
    const ttl = control['ttl'];
    return { ttl: ttl === '5m' || ttl === '1h' ? ttl : null };
  }
  const breakpoint = asObject(carrier['prompt_cache_breakpoint']);
  if (breakpoint === null) return null;
  return { ttl: typeof breakpoint['ttl'] === 'string' ? '1h' : null };
}
