import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { connectSearchSchema } from '../features/connect/search.ts';
import { docsSearchSchema } from '../features/docs/search.ts';
import { modelsSearchSchema } from '../features/models/search.ts';
import { playgroundSearchSchema } from '../features/playground/search.ts';
import { app } from './app-route.tsx';
import { paths } from '../lib/paths.ts';

const models = createRoute({
  getParentRoute: () => app,
  path: paths.models,
  validateSearch: modelsSearchSchema,
  component: lazyRouteComponent(() => import('../features/models/models-page.tsx'), 'ModelsPage'),
});

const playground = createRoute({
  getParentRoute: () => app,
  path: paths.playground,
  validateSearch: playgroundSearchSchema,
  component: lazyRouteComponent(() => import('../features/playground/playground-page.tsx'), 'PlaygroundPage'),
});

const connect = createRoute({
  getParentRoute: () => app,
  path: paths.connect,
  validateSearch: connectSearchSchema,
  component: lazyRouteComponent(() => import('../features/connect/connect-page.tsx'), 'ConnectPage'),
});

const docs = createRoute({
  getParentRoute: () => app,
  path: paths.docs,
  validateSearch: docsSearchSchema,
  component: lazyRouteComponent(() => import('../features/docs/docs-page.tsx'), 'DocsPage'),
});

/** The pages for developers. */
export const buildRoutes = [models, connect, playground, docs] as const;
