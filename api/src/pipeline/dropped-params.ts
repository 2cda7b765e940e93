import type { Exchange } from '../exchange.ts';

/** Tells the caller which members of the request the provider's dialect had no place for. */
export function setDroppedParams(exchange: Exchange, dropped: readonly string[]): void {
  if (dropped.length > 0) exchange.setHeader('x-tollgate-dropped-params', dropped.join(','));
}
