import { getTokenWeights } from '@tollgate/dialects/input-tokens/token-weights';
import type { Route } from '../catalogue/route.ts';

/** One of the models of the routes for each way to count input, by the name that its provider knows. */
export function listCountedModels(
  routes: readonly Pick<Route, 'upstreamModel'>[],
  requested: string,
): string[] {
  const names = routes.length === 0 ? [requested] : routes.map(({ upstreamModel }) => upstreamModel);
  return [...new Map(names.map((name) => [getTokenWeights(name).weights, name])).values()];
}
