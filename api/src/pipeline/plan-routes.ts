import type { ExecuteContext } from './execute-context.ts';
import { RoutePlan } from './route-plan.ts';

/** The routes of a request in their order. Routes that wait for a limit of their provider are last. */
export function planRoutes({
  upstreams,
  routes,
  key,
}: Pick<ExecuteContext, 'upstreams' | 'routes' | 'key'>): RoutePlan {
  return new RoutePlan(upstreams.cooldowns.order(routes, key.accountId), upstreams.retry);
}
