import { auditRouter } from './areas/audit.ts';
import { authRouter } from './areas/auth.ts';
import { billingRouter } from './areas/billing.ts';
import { bodiesRouter } from './areas/bodies.ts';
import { externalRouter } from './areas/external.ts';
import { keysRouter } from './areas/keys.ts';
import { liveRouter } from './areas/live.ts';
import { mailboxRouter } from './areas/mailbox.ts';
import { modelsRouter } from './areas/models.ts';
import { operatorRouter } from './areas/operator/operator.ts';
import { playgroundRouter } from './areas/playground.ts';
import { requestsRouter } from './areas/requests.ts';
import { passkeysRouter } from './areas/passkeys.ts';
import { sessionRouter } from './areas/session.ts';
import { sessionsRouter } from './areas/sessions.ts';
import { settingsRouter } from './areas/settings.ts';
import { teamRouter } from './areas/team.ts';
import { usageRouter } from './areas/usage.ts';
import { teamTwoFactorRouter } from './areas/team-two-factor.ts';
import { twoFactorRouter } from './areas/two-factor.ts';
import { router } from './trpc.ts';

export const appRouter = router({
  session: sessionRouter,
  auth: authRouter,
  external: externalRouter,
  settings: settingsRouter,
  sessions: sessionsRouter,
  twoFactor: twoFactorRouter,
  passkeys: passkeysRouter,
  keys: keysRouter,
  models: modelsRouter,
  playground: playgroundRouter,
  usage: usageRouter,
  requests: requestsRouter,
  bodies: bodiesRouter,
  billing: billingRouter,
  live: liveRouter,
  team: teamRouter,
  teamTwoFactor: teamTwoFactorRouter,
  audit: auditRouter,
  mailbox: mailboxRouter,
  operator: operatorRouter,
});

/** All that the browser takes from the server. */
export type AppRouter = typeof appRouter;
