import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './app-env.ts';
import { isLoopbackName } from './client-address.ts';
import { trpcRefusal } from './trpc-refusal.ts';

/**
 * Refuses whatever changes something unless the console's own page asks for it: with SameSite=Lax cookies this is
 * the second wall against forged requests. Browsers send `Origin` with each POST, so one without it is refused too.
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
        message: `This request does not come from ${publicConsoleUrl}: open the console there.`,
        reason: 'origin',
      });
    }
    await next();
    return undefined;
  });
}

function createOriginCheck(publicConsoleUrl: string): (origin: string | undefined) => boolean {
  const ours = new URL(publicConsoleUrl);
  return (origin) => {
    if (origin === undefined || !URL.canParse(origin)) return false;
    const theirs = new URL(origin);
    if (theirs.origin === ours.origin) return true;
    // On one's own machine the same console is reached as localhost, 127.0.0.1 and [::1].
    const isSameMachine = isLoopbackName(ours.hostname) && isLoopbackName(theirs.hostname);
    return isSameMachine && theirs.port === ours.port && theirs.protocol === ours.protocol;
  };
}
