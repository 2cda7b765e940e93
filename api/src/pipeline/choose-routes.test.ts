import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import type { Route } from '../catalogue/route.ts';
import { chooseRoutes, type SessionRequest } from './choose-routes.ts';

/** Only what decides the order. */
const route = (id: string, priority = 0, dialect = 'openai-chat') =>
  ({
    id,
    routeId: id,
    priority,
    weight: 1,
    ends: [{ dialect }],
    credential: null,
    byCredential: null,
  }) as unknown as Route;
const ROUTES = [route('a'), route('b'), route('c')];
const ALL_USABLE = {
  credentials: { usable: (routes: readonly Route[]) => routes },
  namesUploads: false,
  own: null,
};
const REQUEST: SessionRequest = {
  accountId: 'acc_1',
  model: 'm',
  members: {},
  header: () => null,
  conversationStart: null,
};
const choose = (rest: Partial<SessionRequest>, routes = ROUTES) =>
  chooseRoutes(routes, 'openai-chat', { ...REQUEST, ...rest }, ALL_USABLE);
const headers = (all: Record<string, string>) => (name: string) => all[name] ?? null;

/** Each source, with those of lower rank present as well. */
const SOURCES: [string, Partial<SessionRequest>][] = [
  ['session first messages', { conversationStart: 7 }],
  ['session metadata.user_id', { members: { metadata: { user_id: 'u' } } }],
  ['session session_id', { header: headers({ session_id: 'c' }) }],
  [
    'session x-claude-code-session-id',
    { header: headers({ session_id: 'c', 'x-claude-code-session-id': 'k' }) },
  ],
  [
    'session x-session-id',
    { header: headers({ session_id: 'c', 'x-claude-code-session-id': 'k', 'x-session-id': 'x' }) },
  ],
  ['session prompt_cache_key', { members: { metadata: { user_id: 'u' }, prompt_cache_key: 'p' } }],
];

describe('the routes of a request', () => {
  it.each(SOURCES)('are chosen by "%s"', (choice, rest) => {
    const chosen = choose({ conversationStart: 7, ...rest });
    expect(chosen).toMatchObject({ choice });
    expect(Number.isSafeInteger(chosen.sessionHash)).toBe(true);
    for (let again = 0; again < 20; again += 1)
      expect(choose({ conversationStart: 7, ...rest })).toEqual(chosen);
  });

  it.each<[string, Partial<SessionRequest>]>([
    ['another account', { accountId: 'acc_2' }],
    ['another model', { model: 'n' }],
    ['another name', { members: { prompt_cache_key: 'q' } }],
  ])('are those of another session with %s', (_, rest) => {
    const members = { prompt_cache_key: 'p' };
    expect(choose({ members, ...rest }).sessionHash).not.toBe(choose({ members }).sessionHash);
  });

  it.each<[string, Partial<SessionRequest>]>([
    ['none', {}],
    ['an empty one', { members: { prompt_cache_key: '', metadata: { user_id: '' } }, header: () => '' }],
    ['one that is no text', { members: { prompt_cache_key: 7, metadata: [] } }],
  ])('are drawn by weight without a session: %s', (_, rest) => {
    const firsts = Array.from({ length: 200 }, () => choose(rest));
    expect(new Set(firsts.map(({ routes }) => routes[0]?.id))).toEqual(new Set(['a', 'b', 'c']));
    for (const { sessionHash, choice } of firsts)
      expect({ sessionHash, choice }).toEqual({ sessionHash: null, choice: 'weight' });
  });

  it.each<[string, Route[]]>([
    ['a lower priority', [route('a'), route('b', 1), route('c', 1)]],
    ['a translation', [route('b', 0, 'anthropic-messages'), route('a'), route('c', 0, 'anthropic-messages')]],
  ])('begin with the only one that is not of %s', (_, routes) => {
    for (let name = 0; name < 20; name += 1) {
      const chosen = choose({ members: { prompt_cache_key: String(name) } }, routes);
      expect([chosen.routes[0]?.id, chosen.choice]).toEqual(['a', 'priority']);
    }
  });

  it('need no choice if there is one', () => {
    const only = choose({ members: { prompt_cache_key: 'p' } }, [route('a')]);
    expect(only).toMatchObject({ sessionHash: null, choice: null });
  });

  it('take no longer for a name of a megabyte', () => {
    const name = 'x'.repeat(1024 * 1024);
    const chooseOften = () => {
      for (let again = 0; again < 100; again += 1) choose({ members: { prompt_cache_key: name } });
    };
    expect(threadTimeMs(chooseOften)).toBeLessThan(100);
  });
});

describe('the credentials of a provider', () => {
  const withCredential = (id: string, credentialId: string) =>
    ({ ...route('a'), id, credential: { id: credentialId } }) as unknown as Route;
  const byCredential = [withCredential('a', 'first'), withCredential('a/second', 'second')];
  const several = { ...route('a'), byCredential };

  it('share the sessions of its route, also if another route has the others', () => {
    const chosen = Array.from({ length: 400 }, (_, at) =>
      choose({ conversationStart: at }, [several, route('b')]),
    );
    const first = chosen.flatMap(({ routes }) =>
      routes[0]?.routeId === 'a' ? [routes[0].credential?.id] : [],
    );
    expect(first.length).toBeGreaterThan(150);
    const share = first.filter((id) => id === 'second').length / first.length;
    expect(share).toBeGreaterThan(0.35);
    expect(share).toBeLessThan(0.65);
  });

  it('are not used for a request that names an upload, except the first one', () => {
    const credentials = { ...ALL_USABLE, namesUploads: true };
    const { routes } = chooseRoutes([several], 'openai-chat', REQUEST, credentials);
    expect(routes).toEqual([several]);
  });
});
