import { parseBreakerId } from '../endpoints.ts';
import type { UpstreamState } from '../pipeline/upstream-state.ts';
import { listAllRoutes, listHttpProviders, type Catalogue } from './catalogue.ts';
import { isOwnRouteId, parseRouteId } from './route.ts';

/** Drops what is kept for routes and connections that a new catalogue does not have. */
export function forgetUnused(
  catalogue: Catalogue,
  {
    breakers,
    transports,
    credentials,
    strategies,
    served,
  }: Pick<UpstreamState, 'breakers' | 'transports' | 'credentials' | 'strategies' | 'served'>,
): void {
  const routes = listAllRoutes(catalogue);
  const ids = new Set(routes.flatMap(({ id, routeId }) => [id, routeId]));
  breakers.keepOnly((breakerId) => {
    const { id } = parseBreakerId(breakerId);
    // The catalogue does not have the credentials of accounts.
    return ids.has(isOwnRouteId(id) ? parseRouteId(id).routeId : id);
  });
  strategies.keepOnly((id) => ids.has(id));
  served.keepOnly((id) => ids.has(id));
  credentials.noteCatalogue(routes);
  transports.keepOnly(listHttpProviders(catalogue));
}
