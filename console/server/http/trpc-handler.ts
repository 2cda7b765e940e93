import { TIME_ZONE_HEADER, timeZoneSchema } from '@tollgate/core/requests/last-days';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { Context as HonoContext } from 'hono';
import { findViewing, type Viewing } from '@tollgate/db/queries/operator/impersonation';
import type { Deps } from '../deps.ts';
import type { Context } from '../context.ts';
import { describeError } from '../describe-error.ts';
import { appRouter } from '../router.ts';
import type { ActiveSession } from '../sessions.ts';
import type { AppEnv } from './app-env.ts';
import { readClientIp } from './client-address.ts';
import { createDatabaseWatch } from './database-watch.ts';
import { readCookie } from './read-cookie.ts';
import { trpcRefusal } from './trpc-refusal.ts';

/** More than any page requests at the same time. */
const MAX_BATCH = 20;

const EVENT_STREAM = 'text/event-stream';

/** Serves the procedures under `/trpc`. */
export function trpcHandler(deps: Deps) {
  const whileDatabaseResponds = createDatabaseWatch(deps.db);
  return async function trpcHandler(c: HonoContext<AppEnv>): Promise<Response> {
    const answering = fetchRequestHandler({
      endpoint: '/trpc',
      req: c.req.raw,
      router: appRouter,
      maxBatchSize: MAX_BATCH,
      createContext: ({ resHeaders }) => createContext(c, deps, resHeaders),
      onError({ error, path }) {
        if (error.code !== 'INTERNAL_SERVER_ERROR') return;
        c.var.log.error({ procedure: path, error: describeError(error.cause ?? error) }, 'procedure failed');
      },
    });
    const response = await whileDatabaseResponds(answering);
    if (response === null) {
      c.var.log.error('the database does not respond');
      return refuseHung(c.req.method);
    }
    const isStream = response.headers.get('content-type') === EVENT_STREAM;
    response.headers.set('cache-control', isStream ? 'no-store, no-transform' : 'no-store');
    return isStream ? keepStream(c, deps, response) : response;
  };
}

function refuseHung(method: string): Response {
  const advice =
    method === 'GET' ? 'Try again in a moment.' : 'Check whether your change was saved, then try again.';
  return trpcRefusal({
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: `The database does not respond. ${advice}`,
    reason: null,
  });
}

/** A stream lives no longer than its session; without one it says so and ends. */
function keepStream(c: HonoContext<AppEnv>, deps: Deps, response: Response): Response {
  const id = deps.sessions.readId(c.req.header('cookie') ?? null);
  if (id === null) return response;
  const kept = deps.live.streams.keep(response, deps.sessions.hashId(id).toString('hex'));
  if (kept !== null) return kept;
  return trpcRefusal({
    status: 429,
    code: 'TOO_MANY_REQUESTS',
    message: 'This session is open in too many windows. Close some of them.',
    reason: null,
  });
}

/** Reads the session once for all procedures of a request. */
async function createContext(c: HonoContext<AppEnv>, deps: Deps, resHeaders: Headers): Promise<Context> {
  const setCookie = (cookie: string) => resHeaders.append('set-cookie', cookie);
  const cookieHeader = c.req.header('cookie') ?? null;
  const id = deps.sessions.readId(cookieHeader);
  const found = id === null ? null : await deps.sessions.validate(id);
  const clientIp = readClientIp(c, deps.settings.trustedProxyHops);
  if (found !== null) await deps.sessions.noticeUse(found.session, clientIp === '' ? null : clientIp);
  const prolonged = found?.cookie ?? null;
  if (prolonged !== null) setCookie(prolonged);
  // Its session has ended elsewhere: the browser need not go on sending it.
  if (id !== null && found === null) setCookie(deps.sessions.blankCookie());
  return {
    deps,
    log: c.var.log,
    clientIp,
    session: found?.session ?? null,
    viewing: await readViewing(deps, found?.session ?? null),
    userAgent: c.req.header('user-agent') ?? null,
    timeZone: timeZoneSchema.safeParse(c.req.header(TIME_ZONE_HEADER)).data ?? 'UTC',
    readCookie: (name) => readCookie(c, name),
    setCookie,
  };
}

/** Only an operator can look at accounts of others, so no one else waits for this question. */
async function readViewing(deps: Deps, session: ActiveSession | null): Promise<Viewing | null> {
  if (session === null || !session.user.isOperator) return null;
  const now = new Date(deps.clock.nowMs());
  return findViewing(deps.db, { idHash: deps.sessions.hashId(session.id), now });
}
