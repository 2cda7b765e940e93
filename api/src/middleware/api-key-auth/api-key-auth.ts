import type { Dialect } from '@tollgate/core/models/dialect';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { dialectOfCaller, sendError } from '../../errors/send-error.ts';
import type { Exchange } from '../../exchange.ts';
import { authenticate, type AuthenticateOptions } from '../../keys/authenticate.ts';

/** Requires a valid API key and stores it in `key`. */
export function createApiKeyAuth(options: AuthenticateOptions): MiddlewareHandler<AppEnv> {
  return async function apiKeyAuth(c, next) {
    const exchange = c.get('exchange');
    const found = await authenticate(exchange, options);
    if (!found.ok) {
      sendError(exchange, dialectOfPath(c.req.path, exchange), found.error);
      return exchange.response;
    }
    c.set('key', found.value);
    return next();
  };
}

function dialectOfPath(path: string, exchange: Exchange): Dialect {
  return path.startsWith('/v1/messages') ? 'anthropic-messages' : dialectOfCaller(exchange);
}
