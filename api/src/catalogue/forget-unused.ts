import { parseBreakerId } from '../endpoints.ts';
import type { UpstreamState } from '../pipeline/upstream-state.ts';
import { listAllRoutes, listHttpProviders, type Catalogue } from './catalogue.ts';

/** Drops what is kept for routes and connections that a new catalogue does not have. */
export function forgetUnused(
  catalogue: Catalogue,
  { breakers, transports, credentials }: Pick<UpstreamState, 'breakers' | 'transports' | 'credentials'>,
): void {
  const routes = listAllRoutes(catalogue);
  const ids = new Set(routes.map(({ id }) => id));
  breakers.keepOnly((breakerId) => ids.has(parseBreakerId(breakerId).id));
  credentials.noteCatalogue(routes);
  transports.keepOnly(listHttpProviders(catalogue));
}
