import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { failuresSearchSchema } from '../features/requests/failures/search.ts';
import { requestsSearchSchema } from '../features/requests/search.ts';
import { app } from './app-route.tsx';
import { paths } from '../lib/paths.ts';

export const requests = createRoute({
  getParentRoute: () => app,
  path: paths.requests,
  validateSearch: requestsSearchSchema,
  component: lazyRouteComponent(() => import('../features/requests/requests-page.tsx'), 'RequestsPage'),
});

export const requestErrors = createRoute({
  getParentRoute: () => app,
  path: paths.requestErrors,
  validateSearch: failuresSearchSchema,
  component: lazyRouteComponent(
    () => import('../features/requests/failures/failures-page.tsx'),
    'FailuresPage',
  ),
});
