import { hashText } from '@tollgate/core/runtime/hash-text';
import { SESSION_HEADERS, type RouteChoice, type SessionSource } from '@tollgate/core/requests/route-choice';
import type { Dialect } from '@tollgate/core/models/dialect';
import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { drawForSession, orderRoutes } from '@tollgate/upstreams/routing/order-routes';
import type { CredentialStates } from '../catalogue/credential-states.ts';
import type { OwnRoutes } from '../catalogue/own-routes.ts';
import { areEqual, routesFor, type Route } from '../catalogue/route.ts';
import { StrategyOrdering, type RouteComparison } from './strategy-ordering.ts';

/** Of a name: a longer one counts by its beginning. */
const MAX_NAME = 1024;

/** What a session is found by. */
export interface SessionRequest {
  accountId: string;
  model: string;
  /** Of the caller's body. */
  members: JsonObject;
  header: (name: string) => string | null;
  /** As `hashConversationStart` returns it; null: unknown. */
  conversationStart: number | null;
  /** How the strategy of its model compares the routes; absent or null: by weight. */
  comparison?: RouteComparison | null;
}

/** What decides between the credentials of a provider. */
export interface CredentialChoice {
  credentials: Pick<CredentialStates, 'usable'>;
  /** True: only the first credential of a provider has what the request names. */
  namesUploads: boolean;
  /** null: the account has no credentials. */
  own: OwnRoutes | null;
  /** True: only credentials of the account may be used, also if it has none for the providers of the model. */
  mustBeOwn?: boolean;
}

/** The routes of a request in their order, and why the first one is the first. */
export interface ChosenRoutes {
  routes: readonly Route[];
  /** 53 bits; null: the request belongs to no session, or has one route. */
  sessionHash: number | null;
  /** null: there is only one route. */
  choice: RouteChoice | null;
}

/**
 * Orders the routes of a request, with the credentials of their providers. All requests of a session take the same route in every process, because the provider's prompt
 * cache has what the session sent before; if that route is not available, they take the same next one.
 */
export function chooseRoutes(
  routes: readonly Route[],
  dialect: Dialect,
  request: SessionRequest,
  credentials: CredentialChoice,
): ChosenRoutes {
  if (credentials.own === null && routes.length <= 1 && (routes[0]?.byCredential ?? null) === null)
    return { routes, sessionHash: null, choice: null };
  const session = findSession(request);
  const sessionHash = session === null ? null : hashName(request, session);
  const draw = sessionHash === null ? Math.random : drawForSession(sessionHash);
  const { accountId, comparison = null } = request;
  const ordering =
    comparison === null ? null : new StrategyOrdering(comparison, { accountId, sessionHash, draw });
  const ordered = routesFor(
    routes,
    dialect,
    (equals) => ordering?.order(equals) ?? orderRoutes(equals, draw),
  );
  const choice = explain(ordered, dialect, session);
  return {
    routes: withCredentials(ordered, draw, credentials),
    sessionHash,
    choice: choice === 'priority' ? choice : (ordering?.choice ?? choice),
  };
}

/**
 * The routes with each credential of their providers. A session keeps its credential like its route, because an account at a
 * provider has its own prompt cache.
 */
function withCredentials(
  routes: readonly Route[],
  draw: (route: { id: string }) => number,
  { credentials, namesUploads, own, mustBeOwn = false }: CredentialChoice,
): readonly Route[] {
  if (own === null && routes.every(({ byCredential }) => byCredential === null)) return routes;
  const expanded = routes.flatMap((route) => {
    const usual =
      route.byCredential === null || namesUploads
        ? [route]
        : // Another number than that of the route: it would be small for each session that takes the route.
          orderRoutes(credentials.usable(route.byCredential), ({ id, credential }) =>
            draw({ id: `${id} ${credential?.id ?? ''}` }),
          );
    return own === null ? usual : own.expand(route, usual);
  });
  // Another provider would cost the price of the model, which the account does not want to pay.
  return mustBeOwn || own?.isExclusive(routes) === true ? expanded.filter(({ isOwn }) => isOwn) : expanded;
}

/** The session of a request as 53 bits; null: it belongs to none. */
export function hashSession(request: SessionRequest): number | null {
  const session = findSession(request);
  return session === null ? null : hashName(request, session);
}

/** No account shares sessions with another one, and providers cache for each model apart. */
function hashName({ accountId, model }: SessionRequest, { name }: Session): number {
  return hashText(JSON.stringify([accountId, model, name]));
}

function explain(
  [first, second]: readonly Route[],
  dialect: Dialect,
  session: Session | null,
): RouteChoice | null {
  if (first === undefined || second === undefined) return null;
  if (!areEqual(first, second, dialect)) return 'priority';
  return session === null ? 'weight' : `session ${session.source}`;
}

interface Session {
  source: SessionSource;
  name: string;
}

function findSession({ members, header, conversationStart }: SessionRequest): Session | null {
  const name = getName(members['prompt_cache_key']);
  if (name !== null) return { source: 'prompt_cache_key', name };
  for (const source of SESSION_HEADERS) {
    const value = getName(header(source));
    if (value !== null) return { source, name: value };
  }
  const userId = getName(asObject(members['metadata'])?.['user_id']);
  if (userId !== null) return { source: 'metadata.user_id', name: userId };
  return conversationStart === null ? null : { source: 'first messages', name: String(conversationStart) };
}

function getName(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_NAME) : null;
}
