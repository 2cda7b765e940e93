import { expect, it } from 'vitest';
import { RouteCooldowns } from './route-cooldowns.ts';

const ROUTES = [{ id: 'route_a' }, { id: 'route_b' }];
const getIds = (routes: readonly { id: string }[]) => routes.map(({ id }) => id);

it('moves a route to the end for a rate-limited account during retry-after', () => {
  let nowMs = 0;
  const cooldowns = new RouteCooldowns({ nowMs: () => nowMs });
  cooldowns.start('route_a', 'acct_a', 2_000);
  expect(getIds(cooldowns.order(ROUTES, 'acct_a'))).toEqual(['route_b', 'route_a']);
  expect(getIds(cooldowns.order(ROUTES, 'acct_b'))).toEqual(['route_a', 'route_b']);
  nowMs = 2_000;
  expect(getIds(cooldowns.order(ROUTES, 'acct_a'))).toEqual(['route_a', 'route_b']);
});

it('has no cooldown without retry-after, and at most one minute', () => {
  let nowMs = 0;
  const cooldowns = new RouteCooldowns({ nowMs: () => nowMs });
  cooldowns.start('route_a', 'acct_a', null);
  expect(getIds(cooldowns.order(ROUTES, 'acct_a'))).toEqual(['route_a', 'route_b']);
  cooldowns.start('route_a', 'acct_a', 86_400_000);
  nowMs = 60_000;
  expect(getIds(cooldowns.order(ROUTES, 'acct_a'))).toEqual(['route_a', 'route_b']);
});
