import { isReachable } from '@tollgate/db/queries/health';
import { Hono } from 'hono';
import type { Database } from '@tollgate/db/client';
import type { AppEnv } from './app-env.ts';

/** `/healthz`: the process lives. `/readyz`: it can serve, so its database answers and it is not about to end. */
export function healthRoutes(db: Database, isDraining: () => boolean) {
  return new Hono<AppEnv>()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      if (isDraining()) return c.json({ status: 'draining' }, 503);
      if (!(await isReachable(db))) return c.json({ status: 'database unreachable' }, 503);
      return c.json({ status: 'ok' });
    });
}
