import type { Exchange } from '../exchange.ts';

const MAX_NAMES = 20;
const PLAIN_NAME = /^[\w.$[\]-]{1,64}$/;

/**
 * Tells the caller which members of the request the provider's dialect had no place for. Their names are the caller's own:
 * only what is plain goes into a header, and no more of it than clients take.
 */
export function setDroppedParams(exchange: Exchange, dropped: readonly string[]): void {
  const names = dropped.filter((name) => PLAIN_NAME.test(name)).slice(0, MAX_NAMES);
  if (names.length > 0) exchange.setHeader('x-tollgate-dropped-params', names.join(','));
}
