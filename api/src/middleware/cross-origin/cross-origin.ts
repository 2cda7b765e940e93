import { createOriginCheck } from '@tollgate/core/providers/origins';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import type { Exchange } from '../../exchange.ts';

/** True if the pages of an `Origin` header may call the api: the console's, and those of `CORS_ORIGINS`. */
export type OriginCheck = (origin: string | null) => boolean;

/** The headers that SDKs of either dialect send from a browser, for preflight requests that name none. */
const ALLOWED_HEADERS = 'authorization, content-type, x-api-key, anthropic-version, anthropic-beta';
const PREFLIGHT_SECONDS = '600';

/** Local addresses of the console are equivalent; other origins must be equal. */
export function createAllowedOrigins({
  consoleUrl,
  corsOrigins = [],
}: {
  consoleUrl?: string | null;
  corsOrigins?: readonly string[];
}): OriginCheck {
  const isConsole = typeof consoleUrl === 'string' ? createOriginCheck(consoleUrl) : () => false;
  if (corsOrigins.length === 0) return isConsole;
  const others = new Set<string | null>(corsOrigins);
  return (origin) => others.has(origin) || isConsole(origin);
}

/**
 * Lets the pages of allowed origins read a response, and no others. Keys are sent explicitly and never by the browser, so
 * credentials are not allowed, and every header may be read: the request's id, its cost, the rate limits.
 * https://fetch.spec.whatwg.org/#http-cors-protocol
 * @returns false if the request is not from an allowed origin
 */
export function allowOrigin(exchange: Exchange, isAllowedOrigin: OriginCheck): boolean {
  const origin = exchange.header('origin');
  if (origin === null || !isAllowedOrigin(origin)) return false;
  exchange.setHeader('access-control-allow-origin', origin);
  exchange.setHeader('access-control-expose-headers', '*');
  exchange.setHeader('vary', 'origin');
  return true;
}

/** The same for requests that come through the framework, and the response to preflight requests. */
export function createCrossOriginAccess(isAllowedOrigin: OriginCheck): MiddlewareHandler<AppEnv> {
  return async function crossOriginAccess(c, next) {
    const exchange = c.get('exchange');
    const isAllowed = allowOrigin(exchange, isAllowedOrigin);
    if (!isAllowed || exchange.method !== 'OPTIONS') return next();
    exchange.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
    // SDKs describe their platform in many more headers (`x-stainless-os`), and `*` does not include `authorization`.
    const asked = exchange.header('access-control-request-headers');
    exchange.setHeader('access-control-allow-headers', asked ?? ALLOWED_HEADERS);
    exchange.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
    exchange.send(200, 'text/plain; charset=utf-8', '');
    return exchange.response;
  };
}
