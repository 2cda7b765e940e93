import { DEFAULT_RETRY } from '@tollgate/upstreams/routing/retry-policy';
import { expect, it } from 'vitest';
import type { Route } from '../catalogue/route.ts';
import { RoutePlan } from './route-plan.ts';

const [FIRST, SECOND] = ['first', 'second'].map((id) => ({ id }) as Route) as [Route, Route];

/** The routes that are tried if each attempt at the first one asks for another one soon. */
function list(routes: readonly Route[], attempts: number): string[] {
  const plan = new RoutePlan(routes, { ...DEFAULT_RETRY, attempts });
  const tried: string[] = [];
  for (;;) {
    const next = plan.next((route) => route);
    if (next === null) return tried;
    tried.push(next.entered.id);
    if (next.entered === FIRST) plan.noteSoon(FIRST, 0);
  }
}

it('tries a route again soon, but keeps an attempt for one that was not tried', () => {
  expect(list([FIRST, SECOND], 2)).toEqual(['first', 'second']);
  expect(list([FIRST, SECOND], 3)).toEqual(['first', 'first', 'second']);
  expect(list([FIRST], 2)).toEqual(['first', 'first']);
});
