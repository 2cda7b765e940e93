import { RouteBreakers } from '@tollgate/upstreams/routing/route-breakers';
import { expect, it } from 'vitest';
import { ServedRoutes } from '../health-checks/served-routes.ts';
import type { Catalogue } from './catalogue.ts';
import { forgetUnused } from './forget-unused.ts';
import type { Route } from './route.ts';

it('forgets the state of removed routes, and keeps it of the others, also with credentials of accounts', () => {
  const kept: string[] = [];
  const noted = ['a', 'a/second', 'gone'];
  const keepOnly = (isKept: (id: string) => boolean) => void kept.push(...noted.filter(isKept));
  const breakers = new RouteBreakers({ nowMs: () => 0 });
  const failing = [
    'a',
    'a tokens',
    'a/second',
    'a/own:acct_1',
    'a/own:acct_1 tokens',
    'a/third',
    'gone',
    'gone/own:acct_1',
  ];
  for (const breakerId of failing)
    breakers.fail(breakerId, { accountId: 'acct_1', error: 'cut', isUnreachable: true });
  const served = new ServedRoutes();
  for (const id of noted) served.note(id);
  const provider = { kind: 'demo', name: 'demo' };
  const routes = ['a', 'a/second'].map((id) => ({ id, routeId: 'a', provider, credential: null }) as Route);
  const route = { ...routes[0], byCredential: routes };
  forgetUnused(
    new Map([['m', { routes: [route] }]]) as unknown as Catalogue,
    {
      breakers,
      served,
      strategies: { keepOnly },
      credentials: { noteCatalogue: () => undefined },
      transports: { keepOnly: () => undefined },
    } as unknown as Parameters<typeof forgetUnused>[1],
  );
  expect(breakers.reports().map(({ breakerId }) => breakerId)).toEqual(failing.slice(0, 5));
  expect(kept).toEqual(['a', 'a/second']);
  expect(noted.filter((id) => served.getServedAtMs(id) > 0)).toEqual(['a', 'a/second']);
});
