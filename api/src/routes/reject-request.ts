import type { Buffer } from 'node:buffer';
import { ERROR_TABLE, type GatewayError } from '@tollgate/core/errors/errors';
import type { Exchange } from '../exchange.ts';
import type { EndpointSpec } from '../endpoints.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { setLimitHeaders } from '../pipeline/limit-headers.ts';
import type { Settlement } from '../pipeline/settlement.ts';
import { takeLimits, type LimitsOutcome, type LimitsSource } from '../pipeline/take-limits.ts';
import { findNamedModel } from '../request-body/find-named-model.ts';
import { COSTLY_BODY } from '../request-body/parse-in-thread.ts';

/** A request on its way to admission. */
export interface IncomingRequest {
  limits: LimitsSource['limits'];
  spec: EndpointSpec;
  exchange: Exchange;
  key: CachedKey;
  settlement: Settlement;
  refuse: (error: GatewayError) => void;
}

/** Inactive key, unpaid account, or limit already exceeded. */
const UNCOUNTED_STATUSES: ReadonlySet<number> = new Set([401, 402, 429]);

/**
 * Rejects an invalid request. It counts against the requests per minute of its key like a served one: otherwise rejected
 * requests would be a free way to keep the gateway busy. If the limit is exceeded, the response reports that instead.
 */
export function rejectRequest(request: IncomingRequest, error: GatewayError): void | Promise<void> {
  const { status } = ERROR_TABLE[error.code];
  const isCounted = error === COSTLY_BODY || (status < 500 && !UNCOUNTED_STATUSES.has(status));
  if (!isCounted) return request.refuse(error);
  const outcome = takeLimits(request, 0);
  return outcome instanceof Promise
    ? outcome.then((decided) => refuseCounted(request, decided, error))
    : refuseCounted(request, outcome, error);
}

/** Rejects a request whose body is invalid. The record has the model that it names. */
export function rejectBody(
  request: IncomingRequest & { body: Buffer },
  error: GatewayError,
): void | Promise<void> {
  const model = findNamedModel(request.body);
  if (model !== null) request.settlement.noteModel(model);
  return rejectRequest(request, error);
}

/** Records that the caller disconnected before its request was complete, which also counts. */
export async function settleLeft(request: IncomingRequest): Promise<void> {
  noteLimits(request, await takeLimits(request, 0));
  request.settlement.settleDisconnected({});
}

/** Sets the limit headers, and records the ticket of the request. */
export function noteLimits({ exchange, spec, settlement }: IncomingRequest, outcome: LimitsOutcome): void {
  const state = outcome.ok ? (outcome.taken?.state ?? null) : outcome.state;
  if (state !== null) setLimitHeaders(exchange, spec.dialect, state);
  if (outcome.ok && outcome.taken !== null) settlement.limited.ticket = outcome.taken.ticket;
}

/** Rejects a request that was counted. If that exceeded a limit, the response reports the limit instead. */
export function refuseCounted(request: IncomingRequest, outcome: LimitsOutcome, error: GatewayError): void {
  noteLimits(request, outcome);
  request.refuse(outcome.ok ? error : outcome.error);
}
