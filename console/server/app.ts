import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { describeError } from './describe-error.ts';
import type { Deps } from './deps.ts';
import type { AppEnv } from './http/app-env.ts';
import { builtApp } from './http/built-app.ts';
import { checkOrigin } from './http/check-origin.ts';
import { exportRoutes } from './http/exports.ts';
import { healthRoutes } from './http/health.ts';
import { localToolsRoutes } from './http/local-tools.ts';
import { receiptRoutes } from './http/receipts.ts';
import { requestLog } from './http/request-log.ts';
import { securityHeaders } from './http/security-headers.ts';
import { statementPdfRoutes } from './http/statement-pdf.ts';
import { testPaymentRoutes } from './http/test-payments.ts';
import { trpcHandler } from './http/trpc-handler.ts';
import { trpcRefusal } from './http/trpc-refusal.ts';
import { webhookRoutes } from './http/webhooks.ts';

/** A scope with 200 models is some 40 kB; nothing that a page sends is larger. */
const MAX_BODY_BYTES = 256 * 1024;

/**
 * The console's server from top to bottom: every request gets an id, a log line and the security headers. Requests
 * that change something must come from our own page and be small. Then come the procedures, health checks, receipts,
 * exports, the payment provider's webhook, and the built app for all other paths.
 */
export function createApp(deps: Deps, isDraining: () => boolean = () => false): Hono<AppEnv> {
  const { publicConsoleUrl, publicApiUrl, appDir } = deps.settings;
  const app = new Hono<AppEnv>();

  app.use(requestLog(deps.log));
  app.use(securityHeaders(publicConsoleUrl, publicApiUrl));
  app.use('/trpc/*', checkOrigin(publicConsoleUrl));
  app.use('/trpc/*', bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseBody }));

  app.all('/trpc/*', trpcHandler(deps));
  app.route('/', healthRoutes({ db: deps.db, appDir, isDraining }));
  app.route('/', receiptRoutes(deps));
  app.route('/', statementPdfRoutes(deps));
  app.route('/', exportRoutes(deps));
  if (deps.settings.localToolsToken !== null) app.route('/', localToolsRoutes(deps));
  if (deps.payments !== null) app.route('/', webhookRoutes(deps, deps.payments));
  if (deps.payments?.name === 'test') app.route('/', testPaymentRoutes(deps, deps.payments));
  app.all('*', builtApp(appDir));

  app.onError((error, c) => {
    c.var.log.error({ error: describeError(error) }, 'request failed');
    return c.text('Something went wrong. Try again.\n', 500);
  });
  return app;
}

function refuseBody(): Response {
  return trpcRefusal({
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    message: 'This request is too large.',
    reason: null,
  });
}
