import { createRootRoute, createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { requireSession } from './guards.ts';

export const root = createRootRoute({ component: Outlet });

/** Under it is every page of someone who is signed in. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('../components/layouts/app-layout.tsx'), 'AppLayout'),
});
