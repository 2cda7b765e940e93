import type { Dialect } from '@tollgate/core/models/dialect';
import type { OwnerStates, WindowState } from '@tollgate/limits/limit-store';
import type { Exchange } from '../exchange.ts';

/** Reports the limits of the key or the account, whichever has less left, in the headers that its SDK reads. */
export function setLimitHeaders(exchange: Exchange, dialect: Dialect, { key, account }: OwnerStates): void {
  const requests = tighter(key.requests, account.requests);
  const tokens = tighter(key.tokens, account.tokens);
  if (requests !== null) setWindow(exchange, dialect, 'requests', requests);
  if (tokens !== null) setWindow(exchange, dialect, 'tokens', tokens);
}

function tighter(one: WindowState | null, other: WindowState | null): WindowState | null {
  if (one === null || other === null) return one ?? other;
  return one.remaining <= other.remaining ? one : other;
}

function setWindow(exchange: Exchange, dialect: Dialect, unit: string, window: WindowState): void {
  switch (dialect) {
    // https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers
    case 'openai-chat':
    case 'openai-responses':
      exchange.setHeader(`x-ratelimit-limit-${unit}`, String(window.limit));
      exchange.setHeader(`x-ratelimit-remaining-${unit}`, String(window.remaining));
      exchange.setHeader(`x-ratelimit-reset-${unit}`, `${window.resetMs}ms`);
      return;
    // https://docs.anthropic.com/en/api/rate-limits#response-headers
    case 'anthropic-messages': {
      const resetAt = new Date(exchange.startedAtMs + window.resetMs).toISOString();
      exchange.setHeader(`anthropic-ratelimit-${unit}-limit`, String(window.limit));
      exchange.setHeader(`anthropic-ratelimit-${unit}-remaining`, String(window.remaining));
      exchange.setHeader(`anthropic-ratelimit-${unit}-reset`, resetAt);
    }
  }
}
