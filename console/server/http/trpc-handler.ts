import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { Context as HonoContext } from 'hono';
import { parse as parseCookies } from 'hono/utils/cookie';
import type { Deps } from '../deps.ts';
import type { Context } from '../context.ts';
import { SIGN_UP_TICKET_COOKIE } from '../auth/sign-up-ticket.ts';
import { describeError } from '../describe-error.ts';
import { appRouter } from '../router.ts';
import type { AppEnv } from './app-env.ts';
import { isLocalVisitor, readClientIp } from './client-address.ts';

/** More than any page asks for at once. */
const MAX_BATCH = 20;

/** Serves the procedures under `/trpc`. */
export function trpcHandler(deps: Deps) {
  return async function trpcHandler(c: HonoContext<AppEnv>): Promise<Response> {
    const response = await fetchRequestHandler({
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
    response.headers.set('cache-control', 'no-store');
    return response;
  };
}

/** Reads the session once for all procedures of a request. */
async function createContext(c: HonoContext<AppEnv>, deps: Deps, resHeaders: Headers): Promise<Context> {
  const setCookie = (cookie: string) => resHeaders.append('set-cookie', cookie);
  const cookieHeader = c.req.header('cookie') ?? null;
  const id = deps.sessions.readId(cookieHeader);
  const found = id === null ? null : await deps.sessions.validate(id);
  const prolonged = found?.cookie ?? null;
  if (prolonged !== null) setCookie(prolonged);
  // Its session has ended elsewhere: the browser need not go on sending it.
  if (id !== null && found === null) setCookie(deps.sessions.blankCookie());
  return {
    deps,
    log: c.var.log,
    clientIp: readClientIp(c, deps.settings.trustedProxyHops),
    isLocalVisitor: isLocalVisitor(c),
    session: found?.session ?? null,
    signUpTicket: parseCookies(cookieHeader ?? '', SIGN_UP_TICKET_COOKIE)[SIGN_UP_TICKET_COOKIE] ?? null,
    setCookie,
  };
}
