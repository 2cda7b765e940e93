import { RouteStrategies } from '@tollgate/upstreams/routing/strategies/route-strategies';
import { describe, expect, it } from 'vitest';
import type { Price } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
import { StrategyOrdering } from './strategy-ordering.ts';

/** Only what decides the order. */
const route = (routeId: string, id = routeId) =>
  ({ id, routeId, priority: 0, weight: 1, byCredential: null }) as unknown as Route;
/** The first credential of its provider cannot be used, so that its state has the id of another one. */
const ROUTES = [route('a', 'a/cred_2'), route('b')];

function order(strategies: RouteStrategies, sessionHash: number | null = null) {
  const comparison = {
    strategies,
    strategy: 'lowest-latency',
    price: {} as Price,
    inputTokens: 10,
    outputTokens: 10,
  } as const;
  const ordering = new StrategyOrdering(comparison, { accountId: 'acct_1', sessionHash, draw: () => 0.5 });
  const ids = ordering.order(ROUTES).map(({ routeId }) => routeId);
  return { ids, choice: ordering.choice };
}

describe('the order of routes, one of which has no first credential', () => {
  it('is decided by what its requests have shown', () => {
    const strategies = new RouteStrategies({ nowMs: () => 1_000_000 }, () => 0.999);
    strategies.latencies.noteFirstToken('a', 50, ['b']);
    strategies.latencies.noteFirstToken('b', 400, ['a']);
    expect(order(strategies)).toEqual({ ids: ['a', 'b'], choice: 'latency 50' });
  });

  it('keeps the route whose prompt cache has the session', () => {
    const strategies = new RouteStrategies({ nowMs: () => 1_000_000 }, () => 0.999);
    strategies.latencies.noteFirstToken('a', 120, ['b']);
    strategies.latencies.noteFirstToken('b', 100, ['a']);
    strategies.warm.note(7, 'a', { inputTokens: 9_000, cacheReadTokens: 0, cacheWriteTokens: 0 });
    expect(order(strategies, 7)).toEqual({ ids: ['a', 'b'], choice: 'latency session 120' });
  });
});
