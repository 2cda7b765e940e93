import { router } from '../trpc.ts';
import { operatorAccountsRouter } from './accounts.ts';
import { operatorAuditRouter } from './audit/router.ts';
import { operatorCostsRouter } from './costs.ts';
import { operatorFailuresRouter } from './failures.ts';
import { operatorFallbacksRouter } from './fallbacks.ts';
import { operatorMailsRouter } from './mails.ts';
import { operatorModelsRouter } from './models.ts';
import { operatorOverviewRouter } from './overview.ts';
import { operatorPatternsRouter } from './patterns.ts';
import { operatorPaymentsRouter } from './payments.ts';
import { operatorPeopleRouter } from './people.ts';
import { operatorPlansRouter } from './plans.ts';
import { operatorProviderCredentialsRouter } from './provider-credentials.ts';
import { operatorProvidersRouter } from './providers.ts';
import { operatorReplicasRouter } from './replicas.ts';
import { operatorRoutesRouter } from './routes.ts';
import { operatorSearchRouter } from './search.ts';
import { operatorSystemRouter } from './system.ts';
import { taxesRouter } from './taxes.ts';
import { operatorTwoFactorRouter } from './two-factor.ts';
import { operatorViewingRouter } from './viewing.ts';

/** The operator pages; every procedure builds on `operatorProcedure`. */
export const operatorRouter = router({
  overview: operatorOverviewRouter,
  audit: operatorAuditRouter,
  accounts: operatorAccountsRouter,
  people: operatorPeopleRouter,
  providerCredentials: operatorProviderCredentialsRouter,
  providers: operatorProvidersRouter,
  models: operatorModelsRouter,
  routes: operatorRoutesRouter,
  failures: operatorFailuresRouter,
  fallbacks: operatorFallbacksRouter,
  patterns: operatorPatternsRouter,
  plans: operatorPlansRouter,
  payments: operatorPaymentsRouter,
  costs: operatorCostsRouter,
  mails: operatorMailsRouter,
  replicas: operatorReplicasRouter,
  search: operatorSearchRouter,
  system: operatorSystemRouter,
  taxes: taxesRouter,
  twoFactor: operatorTwoFactorRouter,
  viewing: operatorViewingRouter,
});
