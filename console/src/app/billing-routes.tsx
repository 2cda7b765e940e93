import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { billingSearchSchema } from '../features/billing/search.ts';
import { statementSearchSchema } from '../features/billing/statements/search.ts';
import { app } from './app-route.tsx';
import { paths } from '../lib/paths.ts';

const billing = createRoute({
  getParentRoute: () => app,
  path: paths.billing,
  validateSearch: billingSearchSchema,
  component: lazyRouteComponent(() => import('../features/billing/billing-page.tsx'), 'BillingPage'),
});

const statements = createRoute({
  getParentRoute: () => app,
  path: paths.statements,
  component: lazyRouteComponent(
    () => import('../features/billing/statements/statements-page.tsx'),
    'StatementsPage',
  ),
});

const statement = createRoute({
  getParentRoute: () => app,
  path: paths.statement,
  validateSearch: statementSearchSchema,
  component: lazyRouteComponent(
    () => import('../features/billing/statements/statement-page.tsx'),
    'StatementPage',
  ),
});

/** The money of an account. */
export const billingRoutes = [billing, statements, statement] as const;
