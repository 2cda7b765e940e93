import { createId } from '@tollgate/core/runtime/ids';
import { createMiddleware } from 'hono/factory';
import type { Logger } from 'pino';
import type { AppEnv } from './app-env.ts';

/**
 * Gives each request an id and logs its result. Only the path is logged: the query of a link contains a token, that
 * of a procedure its input.
 */
export function requestLog(log: Logger) {
  return createMiddleware<AppEnv>(async function requestLog(c, next) {
    const requestId = createId('req');
    const startedAt = performance.now();
    c.set('requestId', requestId);
    c.set('log', log.child({ requestId }));
    await next();
    c.header('x-request-id', requestId);
    const { method, path } = c.req;
    const durationMs = Math.round(performance.now() - startedAt);
    const level = path.startsWith('/trpc/') ? 'info' : 'debug';
    c.var.log[level]({ method, path, status: c.res.status, durationMs }, 'request');
  });
}
