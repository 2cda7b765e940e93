import {
  DEFAULT_RETRY_BUDGET_MS,
  FIRST_TOKEN_MS,
  INPUT_TOKENS_PER_SECOND,
  REASONING_FIRST_TOKEN_MS,
  type RoutingPolicy,
} from '@tollgate/core/models/routing-policy';
import type { Model } from './catalogue.ts';
import type { Route } from './route.ts';

/** How long a stream of the model may have no content before another route is tried, in ms. */
export function getFirstTokenLimitMs(
  { routing, capabilities }: Pick<Model, 'routing' | 'capabilities'>,
  inputTokens: number,
): number {
  if (routing.firstTokenTimeoutMs !== null) return routing.firstTokenTimeoutMs;
  // Its reasoning may be hidden.
  if (capabilities.includes('reasoning')) return REASONING_FIRST_TOKEN_MS;
  return FIRST_TOKEN_MS + (inputTokens / INPUT_TOKENS_PER_SECOND) * 1_000;
}

export function getRetryBudgetMs({ retryBudgetMs }: RoutingPolicy): number {
  return retryBudgetMs ?? DEFAULT_RETRY_BUDGET_MS;
}

/** True if a route takes more input than another; unknown sizes are the smallest. */
export function hasLargerContext(model: Pick<Model, 'contextTokens'>, route: Route, than: Route): boolean {
  const getTokens = ({ contextTokens }: Route) => contextTokens ?? model.contextTokens ?? 0;
  return getTokens(route) > getTokens(than);
}
