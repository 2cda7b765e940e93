import type { GatewayError } from '@tollgate/core/errors/errors';
import {
  isAboutRequest,
  parseRetryAfterMs,
  type AttemptVerdict,
} from '@tollgate/upstreams/routing/retry-policy';
import type { UpstreamFailure } from '@tollgate/upstreams/transport/transport';
import { isEventStream } from './content-types.ts';
import { getProviderWaitMs } from '../errors/retry-headers.ts';
import type { RefusalCause } from './relay.ts';
import {
  describeFailure,
  MISCONFIGURED_PROVIDER,
  NO_CREDIT_AT_PROVIDER,
  OVERSIZE_ANSWER,
  REFUSED_REASONING,
  UNREADABLE_ANSWER,
} from './upstream-failure.ts';

/** Not retried on the same route: timeouts are too slow to repeat, and misconfiguration does not go away within a second. */
const LASTING_FAILURES: ReadonlySet<UpstreamFailure['kind']> = new Set([
  'timeout',
  'tls',
  'busy',
  'protocol',
]);

/** Why an attempt gave the caller no complete response. */
export interface AttemptFailure {
  /** The caller's error if no other route answers. */
  error: GatewayError;
  /** Short code for the record: `timeout`, `status_529`. */
  outcome: string;
  status: number | null;
  /** What failed: a provider that cannot be reached, the route as it served this request, or neither. */
  blame: 'unreachable' | 'route' | 'none';
  /** True: the same route may serve the request a moment later. */
  isRetryable: boolean;
  /** null: the provider sent no retry time. */
  retryAfterMs: number | null;
  /** Until the route may answer the caller's next request; null: it would refuse it again; absent: as the error says. */
  callerWaitMs?: number | null;
  /** Only routes that may accept the request are tried. */
  cause?: RefusalCause;
  /** True: the response exceeds a limit of the gateway itself. No other route is tried. */
  exceedsLimit?: boolean;
  /** True: the request was changed because of it, so that the same route may serve it now. */
  isAdapted?: boolean;
  /** True: the body of the error response is compressed, and so not read. */
  isCompressed?: boolean;
  /** How the connection failed, for operators. */
  detail?: string;
}

/** The provider has sent no content for too long, and another route is tried. */
export const NO_FIRST_TOKEN: AttemptFailure = {
  error: describeFailure({ kind: 'timeout', detail: '' }),
  outcome: 'first_token_timeout',
  status: null,
  blame: 'route',
  isRetryable: false,
  retryAfterMs: null,
};

/** Another route was started as well, and was faster. */
export const HEDGED: AttemptFailure = { ...NO_FIRST_TOKEN, outcome: 'hedged', blame: 'none' };

/** True if the provider had no place for the attempt, which says nothing about the route and was not sent. */
export function hadNoPlace({ outcome }: AttemptFailure): boolean {
  return outcome === 'busy';
}

/** The failure of a response that had started. */
export function failureOfAnswer(error: GatewayError, outcome: string, status: number | null): AttemptFailure {
  const exceedsLimit = error === OVERSIZE_ANSWER || error.code === 'gateway_overloaded';
  const isAdapted = error === REFUSED_REASONING;
  const blame = exceedsLimit || isAdapted ? 'none' : 'route';
  const isRetryable = !exceedsLimit && outcome !== 'misconfigured';
  return { error, outcome, status, blame, isRetryable, retryAfterMs: null, exceedsLimit, isAdapted };
}

/** The failure of a provider that responded with an error. */
export function failureOfStatus(
  status: number,
  verdict: 'retryable' | 'misconfigured' | 'refused',
  header: (name: string) => string | null,
): AttemptFailure {
  return {
    error: getErrorOfStatus(status, verdict),
    outcome: `status_${status}`,
    status,
    blame: isAboutRequest(status) ? 'none' : 'route',
    isRetryable: verdict === 'retryable',
    retryAfterMs: parseRetryAfterMs(header, Date.now()),
    callerWaitMs: verdict === 'retryable' ? getProviderWaitMs(header) : null,
    isCompressed: isCompressed(header),
  };
}

/** Only the rest of a stream is sent to the caller, and nothing else. @returns null if it is one */
export function failureOfContinued(head: {
  status: number;
  verdict: AttemptVerdict;
  header: (name: string) => string | null;
}): AttemptFailure | null {
  const { status, verdict, header } = head;
  if (verdict !== 'answered') return failureOfStatus(status, verdict, header);
  if (status >= 300) return failureOfAnswer(UNREADABLE_ANSWER, `status_${status}`, status);
  const isReadable = isEventStream(header) && !isCompressed(header);
  return isReadable ? null : failureOfAnswer(UNREADABLE_ANSWER, 'unreadable', status);
}

/** The provider refused the request for a reason that may not apply to another one. */
export function failureOfRefusal(status: number, cause: RefusalCause): AttemptFailure {
  return {
    error: UNREADABLE_ANSWER,
    outcome: cause,
    status,
    blame: 'none',
    isRetryable: false,
    retryAfterMs: null,
    callerWaitMs: null,
    cause,
  };
}

/** The connection to the provider failed. @param connectMs null: not connected yet */
export function failureOfConnection(failure: UpstreamFailure, connectMs: number | null): AttemptFailure {
  return {
    error: describeFailure(failure),
    outcome: failure.kind,
    status: null,
    blame: getBlameByKind(failure.kind, connectMs),
    isRetryable: !LASTING_FAILURES.has(failure.kind),
    retryAfterMs: null,
    detail: failure.proxy === undefined ? failure.detail : `${failure.detail} (proxy ${failure.proxy})`,
  };
}

function getErrorOfStatus(status: number, verdict: 'retryable' | 'misconfigured' | 'refused'): GatewayError {
  if (verdict !== 'misconfigured') return UNREADABLE_ANSWER;
  return status === 402 ? NO_CREDIT_AT_PROVIDER : MISCONFIGURED_PROVIDER;
}

/** @param connectMs null: not connected yet */
function getBlameByKind(kind: UpstreamFailure['kind'], connectMs: number | null): AttemptFailure['blame'] {
  switch (kind) {
    case 'dns':
    case 'connect':
    case 'tls':
      return 'unreachable';
    case 'timeout':
      return connectMs === null ? 'unreachable' : 'route';
    case 'stale':
    case 'busy':
      return 'none';
    case 'cut':
    case 'protocol':
      return 'route';
  }
}

/** True if the body has an encoding, although none was asked for. */
export function isCompressed(header: (name: string) => string | null): boolean {
  return (header('content-encoding') ?? 'identity') !== 'identity';
}
