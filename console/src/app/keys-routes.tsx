import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { keyPageSearchSchema } from '../features/keys/key-page/search.ts';
import { keysSearchSchema } from '../features/keys/search.ts';
import { app } from './app-route.tsx';
import { paths } from '../lib/paths.ts';

const keys = createRoute({
  getParentRoute: () => app,
  path: paths.keys,
  validateSearch: keysSearchSchema,
  component: lazyRouteComponent(() => import('../features/keys/keys-page.tsx'), 'KeysPage'),
});

const key = createRoute({
  getParentRoute: () => app,
  path: paths.key,
  validateSearch: keyPageSearchSchema,
  component: lazyRouteComponent(() => import('../features/keys/key-page/key-page.tsx'), 'KeyPage'),
});

export const keysRoutes = [keys, key] as const;
