import type { Exchange } from '../exchange.ts';

const MAX_NAMES = 20;
const PLAIN_NAME = /^[\w.$[\]-]{1,64}$/;

/**
 * Lists the request members that the provider's dialect does not support in a response header. Callers choose the names:
 * only plain ones are listed, and no more than clients accept.
 */
export function setDroppedParams(exchange: Pick<Exchange, 'setHeader'>, dropped: readonly string[]): void {
  const names = dropped.filter((name) => PLAIN_NAME.test(name)).slice(0, MAX_NAMES);
  if (names.length > 0) exchange.setHeader('x-tollgate-dropped-params', names.join(','));
}
