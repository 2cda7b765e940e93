import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import type { Exchange } from '../../exchange.ts';

/** True if an `Origin` header is that of the console. */
export type OriginCheck = (origin: string | null) => boolean;

/** The headers that SDKs of either dialect send from a browser. */
const ALLOWED_HEADERS = 'authorization, content-type, x-api-key, anthropic-version, anthropic-beta';
const PREFLIGHT_SECONDS = '600';

/**
 * Lets only the console's pages read a response. Keys are sent explicitly and never by the browser, so credentials are
 * not allowed, and every header may be read.
 * https://fetch.spec.whatwg.org/#http-cors-protocol
 * @returns false if the request is not from the console
 */
export function allowConsole(exchange: Exchange, isConsole: OriginCheck): boolean {
  const origin = exchange.header('origin');
  if (origin === null || !isConsole(origin)) return false;
  exchange.setHeader('access-control-allow-origin', origin);
  exchange.setHeader('access-control-expose-headers', '*');
  exchange.setHeader('vary', 'origin');
  return true;
}

/** The same for requests that come through the framework, and the response to preflight requests. */
export function createConsoleAccess(isConsole: OriginCheck): MiddlewareHandler<AppEnv> {
  return async function consoleAccess(c, next) {
    const exchange = c.get('exchange');
    const isAllowed = allowConsole(exchange, isConsole);
    if (!isAllowed || exchange.method !== 'OPTIONS') return next();
    exchange.setHeader('access-control-allow-methods', 'GET, POST');
    exchange.setHeader('access-control-allow-headers', ALLOWED_HEADERS);
    exchange.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
    exchange.send(200, 'text/plain; charset=utf-8', '');
    return exchange.response;
  };
}
