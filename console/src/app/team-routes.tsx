import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { auditSearchSchema } from '../features/audit/search.ts';
import { app } from './app-route.tsx';
import { paths } from '../lib/paths.ts';

const team = createRoute({
  getParentRoute: () => app,
  path: paths.team,
  component: lazyRouteComponent(() => import('../features/team/team-page.tsx'), 'TeamPage'),
});

const audit = createRoute({
  getParentRoute: () => app,
  path: paths.audit,
  validateSearch: auditSearchSchema,
  component: lazyRouteComponent(() => import('../features/audit/audit-page.tsx'), 'AuditPage'),
});

/** The pages on who belongs to an account, and what they did. */
export const teamRoutes = [team, audit] as const;
