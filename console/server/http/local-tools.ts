import { Hono } from 'hono';
import { openLocalTools } from '../auth/local-tools.ts';
import type { Deps } from '../deps.ts';
import type { AppEnv } from './app-env.ts';
import { html, missingPage, writePage } from './page.ts';

/** The link printed at startup: it gives the browser the cookie of the mailbox and of the test payments. */
export function localToolsRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/dev/open', (c) => {
    c.header('cache-control', 'no-store');
    const cookie = openLocalTools(deps, c.req.query('token') ?? '');
    if (cookie === null) {
      const hasTools = deps.settings.localToolsToken !== null;
      return c.html(hasTools ? outdatedLinkPage() : missingPage(), 404);
    }
    c.header('set-cookie', cookie, { append: true });
    return c.redirect(deps.settings.hasMailbox ? '/dev/mailbox' : '/', 303);
  });
}

/** The usual cause: the link is from an earlier start. */
function outdatedLinkPage(): string {
  return writePage({
    title: 'Link not valid',
    body: html`<div class="card">
      <h1>This link is not valid</h1>
      <p>Tollgate prints a new link each time it starts. Open the link of the last start.</p>
      <a class="button" href="/">Go to the console</a>
    </div>`,
  });
}
