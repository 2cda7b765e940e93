import { expect, it } from 'vitest';
import { RouteCooldowns } from './route-cooldowns.ts';

const ROUTES = [{ id: 'route_a' }, { id: 'route_b' }];
const idsOf = (routes: readonly { id: string }[]) => routes.map(({ id }) => id);

it('moves a route to the end for the account that it asked to slow down, for as long as it asked', () => {
  let nowMs = 0;
  const cooldowns = new RouteCooldowns({ nowMs: () => nowMs });
  cooldowns.start('route_a', 'acct_a', 2_000);
  expect(idsOf(cooldowns.order(ROUTES, 'acct_a'))).toEqual(['route_b', 'route_a']);
  expect(idsOf(cooldowns.order(ROUTES, 'acct_b'))).toEqual(['route_a', 'route_b']);
  nowMs = 2_000;
  expect(idsOf(cooldowns.order(ROUTES, 'acct_a'))).toEqual(['route_a', 'route_b']);
});

it('remembers nothing when the provider names no time, and a minute at most', () => {
  let nowMs = 0;
  const cooldowns = new RouteCooldowns({ nowMs: () => nowMs });
  cooldowns.start('route_a', 'acct_a', null);
  expect(idsOf(cooldowns.order(ROUTES, 'acct_a'))).toEqual(['route_a', 'route_b']);
  cooldowns.start('route_a', 'acct_a', 86_400_000);
  nowMs = 60_000;
  expect(idsOf(cooldowns.order(ROUTES, 'acct_a'))).toEqual(['route_a', 'route_b']);
});
