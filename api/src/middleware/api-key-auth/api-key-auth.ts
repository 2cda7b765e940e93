import type { Dialect } from '@tollgate/core/dialect';
import type { Clock } from '@tollgate/core/clock';
import type { Result } from '@tollgate/core/errors';
import type { Context, MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { AppEnv } from '../../app-env.ts';
import { dialectOfCaller, sendError } from '../../errors/send-error.ts';
import type { Exchange } from '../../exchange.ts';
import { checkKey } from '../../keys/check-key.ts';
import type { CachedKey, KeyCache } from '../../keys/key-cache.ts';

export interface ApiKeyAuthOptions {
  keys: KeyCache;
  clock: Clock;
  log: Logger;
}

const RETRY_AFTER_SECONDS = 2;

/** Lets a request pass with a living key alone, which it leaves in `key`. */
export function createApiKeyAuth(options: ApiKeyAuthOptions): MiddlewareHandler<AppEnv> {
  return function apiKeyAuth(c, next) {
    const checked = checkKey(presentedKey(c.var.exchange), options.keys, options.clock);
    if (!(checked instanceof Promise)) return settle(c, checked, next);
    return checked.then(
      (result): Promise<Response | void> => settle(c, result, next),
      (error: unknown) => {
        options.log.error({ err: error }, 'a key could not be looked up');
        return refuse(c, {
          code: 'ledger_unavailable',
          message: 'The key cannot be checked at the moment: the database does not answer. Try again.',
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      },
    );
  };
}

function settle(
  c: Context<AppEnv>,
  checked: Result<CachedKey>,
  next: () => Promise<void>,
): Promise<Response | void> {
  if (!checked.ok) return refuse(c, checked.error);
  c.set('key', checked.value);
  return next();
}

function refuse(c: Context<AppEnv>, error: Parameters<typeof sendError>[2]): Promise<Response> {
  sendError(c.var.exchange, dialectOfPath(c), error);
  return Promise.resolve(c.var.exchange.response);
}

function dialectOfPath(c: Context<AppEnv>): Dialect {
  return c.req.path.startsWith('/v1/messages') ? 'anthropic-messages' : dialectOfCaller(c.var.exchange);
}

/** The key of a request: `Authorization: Bearer`, as documented, or `x-api-key`, as Anthropic's SDK sends it. */
function presentedKey(exchange: Exchange): string | null {
  const authorization = exchange.header('authorization');
  if (authorization !== null && /^bearer /i.test(authorization)) return authorization.slice(7).trim();
  return exchange.header('x-api-key') ?? authorization;
}
