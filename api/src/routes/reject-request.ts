import { ERROR_TABLE, type GatewayError } from '@tollgate/core/errors/errors';
import type { Exchange } from '../exchange.ts';
import type { EndpointSpec } from '../endpoints.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { setLimitHeaders } from '../pipeline/limit-headers.ts';
import type { Settlement } from '../pipeline/settlement.ts';
import { takeLimits, type LimitsOutcome, type LimitsSource } from '../pipeline/take-limits.ts';

/** A request on its way to admission. */
export interface IncomingRequest {
  limits: LimitsSource['limits'];
  spec: EndpointSpec;
  exchange: Exchange;
  key: CachedKey;
  settlement: Settlement;
  refuse: (error: GatewayError) => void;
}

/** The key is not alive, its account cannot pay, or a limit is used up already. */
const UNCOUNTED_STATUSES: ReadonlySet<number> = new Set([401, 402, 429]);

/**
 * Answers a request that is at fault. It counts against the requests per minute of its key, as one that is served does: else
 * rejected requests would be a free way to keep the gateway busy. If the limit is used up, the answer says so instead.
 */
export function rejectRequest(request: IncomingRequest, error: GatewayError): void | Promise<void> {
  const { status } = ERROR_TABLE[error.code];
  if (status >= 500 || UNCOUNTED_STATUSES.has(status)) return request.refuse(error);
  const outcome = takeLimits(request, 0);
  return outcome instanceof Promise
    ? outcome.then((decided) => refuseCounted(request, decided, error))
    : refuseCounted(request, outcome, error);
}

/** Records that the caller left before its request was complete. That counts, too. */
export async function settleLeft(request: IncomingRequest): Promise<void> {
  noteLimits(request, await takeLimits(request, 0));
  request.settlement.settleGone({});
}

/** Sets the headers of the limits, and remembers what the request was taken out of. */
export function noteLimits({ exchange, spec, settlement }: IncomingRequest, outcome: LimitsOutcome): void {
  const state = outcome.ok ? (outcome.taken?.state ?? null) : outcome.state;
  if (state !== null) setLimitHeaders(exchange, spec.dialect, state);
  if (outcome.ok && outcome.taken !== null) settlement.noteTicket(outcome.taken.ticket);
}

function refuseCounted(request: IncomingRequest, outcome: LimitsOutcome, error: GatewayError): void {
  noteLimits(request, outcome);
  request.refuse(outcome.ok ? error : outcome.error);
}
