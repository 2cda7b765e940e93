import { Hono } from 'hono';
import { openLocalTools } from '../auth/local-tools.ts';
import type { Deps } from '../deps.ts';
import type { AppEnv } from './app-env.ts';
import { missingPage } from './page.ts';

/** The link printed at startup: it gives the browser the cookie of the mailbox and of the test payments. */
export function localToolsRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/dev/open', (c) => {
    c.header('cache-control', 'no-store');
    const cookie = openLocalTools(deps, c.req.query('token') ?? '');
    if (cookie === null) return c.html(missingPage(), 404);
    c.header('set-cookie', cookie, { append: true });
    return c.redirect(deps.settings.hasMailbox ? '/dev/mailbox' : '/', 303);
  });
}
