import { parseBreakerId } from '../endpoints.ts';
import type { UpstreamState } from '../pipeline/upstream-state.ts';
import { listHttpProviders, listRouteIds, type Catalogue } from './catalogue.ts';

/** Drops what is kept for routes and connections that a new catalogue does not have. */
export function forgetUnused(
  catalogue: Catalogue,
  { breakers, transports }: Pick<UpstreamState, 'breakers' | 'transports'>,
): void {
  const routeIds = listRouteIds(catalogue);
  breakers.keepOnly((breakerId) => routeIds.has(parseBreakerId(breakerId).routeId));
  transports.keepOnly(listHttpProviders(catalogue));
}
