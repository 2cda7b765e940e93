import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  accountSearchSchema,
  accountsSearchSchema,
  costsSearchSchema,
  providerErrorsSearchSchema,
  installationAuditSearchSchema,
  mailsSearchSchema,
  modelsSearchSchema,
  operatorOverviewSearchSchema,
  paymentsSearchSchema,
} from '../features/operator/search.ts';
import { app } from './app-route.tsx';
import { requireOperator } from './guards.ts';
import { paths } from '../lib/paths.ts';

const overview = createRoute({
  getParentRoute: () => app,
  path: paths.operatorOverview,
  beforeLoad: requireOperator,
  validateSearch: operatorOverviewSearchSchema,
  component: lazyRouteComponent(
    () => import('../features/operator/overview/overview-page.tsx'),
    'OperatorOverviewPage',
  ),
});

const accounts = createRoute({
  getParentRoute: () => app,
  path: paths.operatorAccounts,
  beforeLoad: requireOperator,
  validateSearch: accountsSearchSchema,
  component: lazyRouteComponent(
    () => import('../features/operator/accounts/accounts-page.tsx'),
    'AccountsPage',
  ),
});

const account = createRoute({
  getParentRoute: () => app,
  path: paths.operatorAccount,
  beforeLoad: requireOperator,
  validateSearch: accountSearchSchema,
  component: lazyRouteComponent(
    () => import('../features/operator/accounts/account-page.tsx'),
    'AccountPage',
  ),
});

const models = createRoute({
  getParentRoute: () => app,
  path: paths.operatorModels,
  beforeLoad: requireOperator,
  validateSearch: modelsSearchSchema,
  component: lazyRouteComponent(() => import('../features/operator/models/models-page.tsx'), 'ModelsPage'),
});

const model = createRoute({
  getParentRoute: () => app,
  path: paths.operatorModel,
  beforeLoad: requireOperator,
  component: lazyRouteComponent(() => import('../features/operator/models/model-page.tsx'), 'ModelPage'),
});

const providers = createRoute({
  getParentRoute: () => app,
  path: paths.operatorProviders,
  beforeLoad: requireOperator,
  component: lazyRouteComponent(
    () => import('../features/operator/providers/providers-page.tsx'),
    'ProvidersPage',
  ),
});

const costs = createRoute({
  getParentRoute: () => app,
  path: paths.operatorCosts,
  beforeLoad: requireOperator,
  validateSearch: costsSearchSchema,
  component: lazyRouteComponent(() => import('../features/operator/costs/costs-page.tsx'), 'CostsPage'),
});

const errors = createRoute({
  getParentRoute: () => app,
  path: paths.operatorErrors,
  beforeLoad: requireOperator,
  validateSearch: providerErrorsSearchSchema,
  component: lazyRouteComponent(
    () => import('../features/operator/failures/provider-errors-page.tsx'),
    'ProviderErrorsPage',
  ),
});

const plans = createRoute({
  getParentRoute: () => app,
  path: paths.operatorPlans,
  beforeLoad: requireOperator,
  component: lazyRouteComponent(() => import('../features/operator/plans/plans-page.tsx'), 'PlansPage'),
});

const payments = createRoute({
  getParentRoute: () => app,
  path: paths.operatorPayments,
  beforeLoad: requireOperator,
  validateSearch: paymentsSearchSchema,
  component: lazyRouteComponent(
    () => import('../features/operator/payments/payments-page.tsx'),
    'OperatorPaymentsPage',
  ),
});

const payment = createRoute({
  getParentRoute: () => app,
  path: paths.operatorPayment,
  beforeLoad: requireOperator,
  component: lazyRouteComponent(
    () => import('../features/operator/payments/payment-page.tsx'),
    'OperatorPaymentPage',
  ),
});

const mails = createRoute({
  getParentRoute: () => app,
  path: paths.operatorMails,
  beforeLoad: requireOperator,
  validateSearch: mailsSearchSchema,
  component: lazyRouteComponent(() => import('../features/operator/mails/mails-page.tsx'), 'MailsPage'),
});

const audit = createRoute({
  getParentRoute: () => app,
  path: paths.operatorAudit,
  beforeLoad: requireOperator,
  validateSearch: installationAuditSearchSchema,
  component: lazyRouteComponent(
    () => import('../features/operator/audit/audit-page.tsx'),
    'InstallationAuditPage',
  ),
});

const system = createRoute({
  getParentRoute: () => app,
  path: paths.operatorSystem,
  beforeLoad: requireOperator,
  component: lazyRouteComponent(() => import('../features/operator/system/system-page.tsx'), 'SystemPage'),
});

/** The pages for operators; other users get "Page not found". */
export const operatorRoutes = [
  overview,
  accounts,
  account,
  providers,
  models,
  model,
  costs,
  errors,
  plans,
  payments,
  payment,
  mails,
  audit,
  system,
] as const;
