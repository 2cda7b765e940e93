import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import type { Exchange } from '../../exchange.ts';

/** Whether an `Origin` header is that of the console's pages. */
export type OriginCheck = (origin: string | null) => boolean;

/** What SDKs of either dialect send from a browser. */
const ALLOWED_HEADERS = 'authorization, content-type, x-api-key, anthropic-version, anthropic-beta';
const PREFLIGHT_SECONDS = '600';

/**
 * Lets the console's pages, and those of nobody else, read an answer. A key is sent by hand and never by the browser,
 * so no credentials are allowed for, and every header may be read.
 * https://fetch.spec.whatwg.org/#http-cors-protocol
 * @returns false where the request is of no page of the console's
 */
export function allowConsole(exchange: Exchange, isConsole: OriginCheck): boolean {
  const origin = exchange.header('origin');
  if (origin === null || !isConsole(origin)) return false;
  exchange.setHeader('access-control-allow-origin', origin);
  exchange.setHeader('access-control-expose-headers', '*');
  exchange.setHeader('vary', 'origin');
  return true;
}

/** The same for whatever comes through the framework, and the answer to what a browser asks before it sends a key. */
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
