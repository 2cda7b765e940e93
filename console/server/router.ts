import { authRouter } from './areas/auth.ts';
import { billingRouter } from './areas/billing.ts';
import { keysRouter } from './areas/keys.ts';
import { mailboxRouter } from './areas/mailbox.ts';
import { modelsRouter } from './areas/models.ts';
import { sessionRouter } from './areas/session.ts';
import { settingsRouter } from './areas/settings.ts';
import { router } from './trpc.ts';

export const appRouter = router({
  session: sessionRouter,
  auth: authRouter,
  settings: settingsRouter,
  keys: keysRouter,
  models: modelsRouter,
  billing: billingRouter,
  mailbox: mailboxRouter,
});

/** All that the browser takes from the server. */
export type AppRouter = typeof appRouter;
