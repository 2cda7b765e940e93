import { createOriginCheck } from '@tollgate/core/providers/origins';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './app-env.ts';
import { trpcRefusal } from './trpc-refusal.ts';

/**
 * Refuses changes that do not come from the console's own page: besides SameSite=Lax cookies, this is the second
 * protection against forged requests. Browsers send `Origin` with each POST, so one without it is refused too.
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function checkOrigin(publicConsoleUrl: string) {
  const isOurs = createOriginCheck(publicConsoleUrl);
  return createMiddleware<AppEnv>(async function checkOrigin(c, next) {
    const { method } = c.req;
    if (method !== 'GET' && method !== 'HEAD' && !isOurs(c.req.header('origin'))) {
      return trpcRefusal({
        status: 403,
        code: 'FORBIDDEN',
        message: `This request does not come from ${publicConsoleUrl}. Open the console at that address.`,
        reason: 'origin',
      });
    }
    await next();
    return undefined;
  });
}
