import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { overviewSearchSchema } from '../features/overview/search.ts';
import { usageSearchSchema } from '../features/usage/search.ts';
import { app } from './app-route.tsx';
import { paths } from '../lib/paths.ts';

const overview = createRoute({
  getParentRoute: () => app,
  path: paths.overview,
  validateSearch: overviewSearchSchema,
  component: lazyRouteComponent(() => import('../features/overview/overview-page.tsx'), 'OverviewPage'),
});

const usage = createRoute({
  getParentRoute: () => app,
  path: paths.usage,
  validateSearch: usageSearchSchema,
  component: lazyRouteComponent(() => import('../features/usage/usage-page.tsx'), 'UsagePage'),
});

/** What happened in an account, summed up. */
export const usageRoutes = [overview, usage] as const;
