import type { Dialect } from '@tollgate/core/dialect';
import type { LimitState, WindowState } from '@tollgate/limits/memory-limits';
import type { Exchange } from '../exchange.ts';

/** Tells the caller where its key stands, in the headers that its SDK knows. */
export function setLimitHeaders(exchange: Exchange, dialect: Dialect, state: LimitState): void {
  if (state.requests !== null) setWindow(exchange, dialect, 'requests', state.requests);
  if (state.tokens !== null) setWindow(exchange, dialect, 'tokens', state.tokens);
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
