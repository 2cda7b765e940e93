import { isReachable } from '@tollgate/db/queries/system/health';
import type { Database } from '@tollgate/db/client';
import { Hono } from 'hono';
import type { AppEnv } from './app-env.ts';
import { isAppBuilt } from './built-app.ts';

export interface HealthOptions {
  db: Database;
  /** Folder of the built pages. */
  appDir: string;
  isDraining: () => boolean;
}

/** `/healthz`: the process is alive. `/readyz`: it can serve, so its database answers and its pages are built. */
export function healthRoutes({ db, appDir, isDraining }: HealthOptions) {
  return new Hono<AppEnv>()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const isUp = await isReachable(db);
      const isBuilt = isAppBuilt(appDir);
      const checks = {
        database: isUp ? 'ok' : 'down',
        pages: isBuilt ? 'ok' : 'not built: run `npm run build`',
      };
      if (isDraining()) return c.json({ status: 'draining', checks }, 503);
      return isUp && isBuilt
        ? c.json({ status: 'ready', checks })
        : c.json({ status: 'unavailable', checks }, 503);
    });
}
