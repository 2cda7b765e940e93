import { NO_USAGE } from '@tollgate/core/money/money';
import { describe, expect, it } from 'vitest';
import { DEFAULT_ROUTING, type RoutingStrategy } from '@tollgate/core/models/routing-policy';
import type { RouteStrategies } from '@tollgate/upstreams/routing/strategies/route-strategies';
import type { Route } from '../catalogue/route.ts';
import { RouteWatch } from './route-watch.ts';

const toRoute = (id: string, routeId = id, isOwn = false) => ({ id, routeId, isOwn }) as Route;
const [A, SECOND, B] = [toRoute('a'), toRoute('a/second', 'a'), toRoute('b')];
const OWN = toRoute('a/own:acct_1', 'a', true);
const ANSWERED = { usage: { ...NO_USAGE, inputTokens: 5, outputTokens: 20 }, errorCode: null };

/** A watch of a model with the routes a and b, and what it has noted. */
function openWatch(strategy: RoutingStrategy, sessionHash: number | null = null) {
  const noted: unknown[][] = [];
  const note =
    (name: string) =>
    (...values: unknown[]) =>
      void noted.push([name, ...values]);
  const strategies = {
    latencies: Object.fromEntries(
      ['noteFirstToken', 'noteWaiting', 'noteStream', 'noteWhole', 'noteFailure', 'release'].map((name) => [
        name,
        note(name),
      ]),
    ),
    limits: { note: (id: string) => noted.push(['limits', id]) },
    warm: { note: (session: number, routeId: string) => noted.push(['warm', session, routeId]) },
  } as unknown as RouteStrategies;
  const model = { routing: { ...DEFAULT_ROUTING, strategy }, routes: [A, B] };
  const watch = new RouteWatch({ strategies, model, key: { accountId: 'acct_1' }, sessionHash });
  watch.hedging = { cancel: () => noted.push(['cancel']) };
  return { watch, noted };
}

describe('a watch of a request', () => {
  it('ends the second attempt at the first content, and before the request is settled', () => {
    const { watch, noted } = openWatch('weighted');
    watch.noteFirstContent(null, 10);
    watch.noteEnd(A, 20, ANSWERED);
    expect(noted).toEqual([['cancel'], ['cancel']]);
  });

  it('measures the time to the first content and the speed of a stream, whatever the credential', () => {
    const { watch, noted } = openWatch('lowest-latency');
    watch.noteWaiting(SECOND, 50);
    watch.noteFirstContent(SECOND, 100);
    watch.noteEnd(SECOND, 300, ANSWERED);
    expect(noted.filter(([name]) => name !== 'cancel')).toEqual([
      ['noteWaiting', 'a', 50, ['b']],
      ['noteFirstToken', 'a', 100, ['b']],
      ['noteStream', 'a', 200, 20],
    ]);
  });

  it('measures a whole response, also if another route has begun a stream', () => {
    const { watch, noted } = openWatch('lowest-latency');
    watch.noteFirstContent(A, 100);
    watch.noteEnd(B, 300, ANSWERED);
    expect(noted.at(-1)).toEqual(['noteWhole', 'b', { ms: 300, outputTokens: 20, peers: ['a'] }]);
  });

  it.each([
    ['fails', A, { ...ANSWERED, errorCode: 'upstream_error' }],
    ['has no output', A, { ...ANSWERED, usage: NO_USAGE }],
    ['has no route', null, ANSWERED],
  ])('learns nothing from the end of a request that %s', (_, route, ended) => {
    const { watch, noted } = openWatch('lowest-latency', 7);
    watch.noteEnd(route, 300, ended);
    expect(noted).toEqual([['cancel']]);
  });

  it('remembers the route of a session for every strategy', () => {
    const { watch, noted } = openWatch('lowest-price', 7);
    watch.noteEnd(SECOND, 300, ANSWERED);
    expect(noted).toEqual([['cancel'], ['warm', 7, 'a']]);
  });

  it('counts the failures of one account for it only, unless the route fails for others too', () => {
    const { watch, noted } = openWatch('lowest-latency');
    const attempt = { route: A, startedAtMs: Date.now() - 1_000 };
    watch.noteFailure(attempt, { blame: 'route' }, false);
    watch.noteFailure(attempt, { blame: 'route' }, true);
    watch.noteFailure(attempt, { blame: 'unreachable' }, false);
    watch.noteFailure(attempt, { blame: 'none' }, true);
    const ms = expect.closeTo(1_000, -3);
    expect(noted).toEqual([
      ['noteFailure', 'a', ms, 'acct_1'],
      ['noteFailure', 'a', ms, null],
      ['noteFailure', 'a', ms, null],
      ['release', 'a'],
    ]);
  });

  it('reads limits of each credential of a provider, only for the strategy that uses them', () => {
    for (const strategy of ['usage-based', 'lowest-latency'] as const) {
      const { watch, noted } = openWatch(strategy);
      for (const route of [A, SECOND, OWN]) watch.noteHeaders(route, () => null);
      const all = [
        ['limits', 'a'],
        ['limits', 'a/second'],
      ];
      expect(noted).toEqual(strategy === 'usage-based' ? all : []);
    }
  });

  it('measures neither credentials of accounts nor models with other strategies', () => {
    for (const [strategy, route] of [
      ['lowest-latency', OWN],
      ['weighted', A],
    ] as const) {
      const { watch, noted } = openWatch(strategy);
      watch.noteWaiting(route, 50);
      watch.noteFirstContent(route, 100);
      watch.noteFailure({ route, startedAtMs: 0 }, { blame: 'route' }, true);
      watch.release(route);
      watch.noteEnd(route, 300, ANSWERED);
      expect(noted).toEqual([['cancel'], ['cancel']]);
    }
  });
});
