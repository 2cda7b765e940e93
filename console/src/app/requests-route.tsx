import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { requestsSearchSchema } from '../features/requests/search.ts';
import { app } from './app-route.tsx';
import { paths } from '../lib/paths.ts';

export const requests = createRoute({
  getParentRoute: () => app,
  path: paths.requests,
  validateSearch: requestsSearchSchema,
  component: lazyRouteComponent(() => import('../features/requests/requests-page.tsx'), 'RequestsPage'),
});
