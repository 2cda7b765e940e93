import { DEFAULT_RETRY } from '@tollgate/upstreams/routing/retry-policy';
import { describe, expect, it, vi } from 'vitest';
import type { Route } from '../catalogue/route.ts';
import { RoutePlan } from './route-plan.ts';

const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((id) => ({ id, routeId: id }) as Route) as [
  Route,
  Route,
  Route,
];
const FAILED = { retryAfterMs: null };
/** Every random wait is as long as it can be. */
const POLICY = { ...DEFAULT_RETRY, attempts: 4, baseDelayMs: 1_000, maxDelayMs: 60_000 };

const openPlan = (routes: readonly Route[], policy = POLICY) => {
  const plan = new RoutePlan(routes, policy);
  return { plan, next: () => plan.next((route) => route)?.entered.id ?? null };
};

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

it('tries a route again soon once for each request to do so, after the wait', () => {
  const { plan, next } = openPlan([FIRST, SECOND]);
  next();
  plan.noteSoon(FIRST, 70);
  expect(plan.next((route) => route)).toEqual({ entered: FIRST, delayMs: 70 });
  expect(next()).toBe('second');
  expect(next()).toBe(null);
});

describe('routes with temporary failures', () => {
  it('are tried once more after all others, with growing waits, within the attempts', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    const { plan, next } = openPlan([FIRST, SECOND]);
    for (const route of [FIRST, SECOND]) {
      expect(next()).toBe(route.id);
      plan.noteRetryable(route, FAILED);
    }
    expect(plan.next((route) => route)).toEqual({ entered: FIRST, delayMs: 999 });
    plan.noteRetryable(FIRST, FAILED);
    expect(plan.next((route) => route)).toEqual({ entered: SECOND, delayMs: 1_998 });
    plan.noteRetryable(SECOND, FAILED);
    expect(next()).toBe(null);
  });

  it('wait as long as their provider asks for, or are left out if that is too long', () => {
    const { plan, next } = openPlan([FIRST, SECOND]);
    next();
    plan.noteRetryable(FIRST, { retryAfterMs: POLICY.maxRetryAfterMs + 1 });
    next();
    plan.noteRetryable(SECOND, { retryAfterMs: 2_500 });
    expect(plan.next((route) => route)).toEqual({ entered: SECOND, delayMs: 2_500 });
  });

  it('have one more attempt if the request was changed because of the failure', () => {
    for (const isAdapted of [false, true]) {
      const { plan, next } = openPlan([FIRST], { ...POLICY, attempts: 1 });
      next();
      plan.noteRetryable(FIRST, { retryAfterMs: 0, isAdapted });
      expect(next()).toBe(isAdapted ? 'first' : null);
    }
  });
});

describe('the credentials of a provider', () => {
  const several = (id: string, routeId: string) => ({ id, routeId, isOneOfSeveral: true }) as Route;
  const [A, OTHER, B] = [several('a', 'a'), several('a/2', 'a'), { id: 'b', routeId: 'b' } as Route];

  it('are known while one of them was not tried', () => {
    const { plan, next } = openPlan([A, OTHER, B]);
    next();
    expect(plan.hasOtherCredential(A)).toBe(true);
    next();
    expect(plan.hasOtherCredential(OTHER)).toBe(false);
  });

  it('come after the other routes if it is not about the credential', () => {
    const { plan, next } = openPlan([A, OTHER, B]);
    next();
    plan.postponeCredentials(A);
    expect([next(), next(), next()]).toEqual(['b', 'a/2', null]);
  });

  it('take no attempt of the other routes', () => {
    const { plan, next } = openPlan([A, OTHER, B], { ...POLICY, attempts: 2 });
    next();
    plan.noteOtherCredential();
    expect([next(), next(), next()]).toEqual(['a/2', 'b', null]);
  });
});

describe('a route that was not tried yet', () => {
  it('is found within the attempts, and routes that cannot take the request are not tried later', () => {
    const { plan, next } = openPlan([FIRST, SECOND, THIRD], { ...POLICY, attempts: 2 });
    const enter = (route: Route) => (route === SECOND ? route : null);
    expect(plan.nextFresh(() => null)).toBe(null);
    expect(plan.untried).toEqual([FIRST, SECOND, THIRD]);
    expect(plan.nextFresh(enter)?.entered).toBe(SECOND);
    expect(plan.untried).toEqual([THIRD]);
    expect(next()).toBe('third');
    expect(openPlan([FIRST], { ...POLICY, attempts: 0 }).plan.nextFresh((route) => route)).toBe(null);
  });

  it('continues a stream, unless the same route can, or no other', () => {
    const { plan, next } = openPlan([FIRST, SECOND]);
    next();
    const after = (sameFirst: boolean) =>
      plan.nextAfterBreak({ route: FIRST, sameFirst }, (route) => route)?.entered.id;
    expect(after(true)).toBe('first');
    expect([after(false), after(false)]).toEqual(['second', 'first']);
    expect(plan.nextAfterBreak({ route: FIRST, sameFirst: true }, () => null)).toBe(null);
  });
});

it('tries a route out of turn, and those before it later', () => {
  const plan = new RoutePlan([FIRST, SECOND, THIRD], { ...DEFAULT_RETRY, attempts: 3 });
  const only = (wanted: Route) => (route: Route) => (route === wanted ? route : null);
  expect(plan.nextOutOfTurn(only({ id: 'first' } as Route))).toBeNull();
  expect(plan.nextOutOfTurn(only(THIRD))?.entered).toBe(THIRD);
  const turns = [1, 2, 3].map(() => plan.next((route) => route)?.entered ?? null);
  expect(turns).toEqual([FIRST, SECOND, null]);
});
