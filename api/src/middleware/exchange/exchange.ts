import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import type { OpenExchange } from '../../exchange.ts';

/** Opens the exchange of a request: its id, raw headers and body, and its response. */
export function createExchangeMiddleware(open: OpenExchange): MiddlewareHandler<AppEnv> {
  return function openExchange(c, next) {
    c.set('exchange', open(c.req.raw, c.env));
    return next();
  };
}
