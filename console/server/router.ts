import { auditRouter } from './audit/router.ts';
import { authRouter } from './auth/router.ts';
import { billingDetailsRouter } from './billing-details/router.ts';
import { billingRouter } from './payments/router.ts';
import { bodiesRouter } from './bodies/router.ts';
import { createRetentionProcedures } from './retention/retention-procedures.ts';
import { externalRouter } from './auth/external/router.ts';
import { keysRouter } from './keys/router.ts';
import { liveRouter } from './live/router.ts';
import { mailboxRouter } from './mail/mailbox-router.ts';
import { modelsRouter } from './models/router.ts';
import { operatorRouter } from './operator/router.ts';
import { playgroundRouter } from './playground/router.ts';
import { ownCredentialsRouter } from './own-credentials/router.ts';
import { requestsRouter } from './requests/router.ts';
import { viewsRouter } from './requests/views-router.ts';
import { passkeysRouter } from './auth/passkeys-router.ts';
import { searchRouter } from './search/router.ts';
import { sessionRouter } from './auth/session-router.ts';
import { sessionsRouter } from './auth/sessions-router.ts';
import { settingsRouter } from './settings/router.ts';
import { statementsRouter } from './statements/router.ts';
import { teamRouter } from './team/router.ts';
import { usageRouter } from './usage/router.ts';
import { teamTwoFactorRouter } from './team/two-factor-router.ts';
import { twoFactorRouter } from './auth/two-factor-router.ts';
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
  views: viewsRouter,
  search: searchRouter,
  bodies: bodiesRouter,
  responses: router(createRetentionProcedures('responses')),
  ownCredentials: ownCredentialsRouter,
  billing: billingRouter,
  billingDetails: billingDetailsRouter,
  statements: statementsRouter,
  live: liveRouter,
  team: teamRouter,
  teamTwoFactor: teamTwoFactorRouter,
  audit: auditRouter,
  mailbox: mailboxRouter,
  operator: operatorRouter,
});

/** The complete API of the browser app. */
export type AppRouter = typeof appRouter;
