import { takeLimits } from '../pipeline/take-limits.ts';
import { BROKEN_GATEWAY } from '../pipeline/upstream-failure.ts';
import { refuseCounted, type IncomingRequest } from './reject-request.ts';

/**
 * Reports an error of the gateway itself. The request counts too: a body that causes one could be sent without end.
 * If the limits fail as well, it is reported without them.
 */
export async function refuseBroken(request: IncomingRequest): Promise<void> {
  if (request.settlement.limited.ticket !== null) return request.refuse(BROKEN_GATEWAY);
  const outcome = await Promise.resolve(null)
    .then(() => takeLimits(request, 0))
    .catch(() => null);
  if (outcome === null) request.refuse(BROKEN_GATEWAY);
  else refuseCounted(request, outcome, BROKEN_GATEWAY);
}
