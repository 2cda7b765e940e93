import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { failuresSearchSchema } from '../features/requests/failures/search.ts';
import { requestsSearchSchema } from '../features/requests/search.ts';
import { sessionSearchSchema, sessionsSearchSchema } from '../features/requests/sessions/search.ts';
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

export const requestSessions = createRoute({
  getParentRoute: () => app,
  path: paths.requestSessions,
  validateSearch: sessionsSearchSchema,
  component: lazyRouteComponent(
    () => import('../features/requests/sessions/sessions-page.tsx'),
    'SessionsPage',
  ),
});

export const requestSession = createRoute({
  getParentRoute: () => app,
  path: paths.requestSession,
  validateSearch: sessionSearchSchema,
  component: lazyRouteComponent(
    () => import('../features/requests/sessions/session-page.tsx'),
    'SessionPage',
  ),
});
