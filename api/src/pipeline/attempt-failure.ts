import type { GatewayError } from '@tollgate/core/errors/errors';
import { parseRetryAfterMs } from '@tollgate/upstreams/routing/retry-policy';
import type { UpstreamFault } from '@tollgate/upstreams/transport/transport';
import { errorOfFault, MISCONFIGURED_PROVIDER, UNREADABLE_ANSWER } from './upstream-failure.ts';

/** A provider that was too slow once is not waited for again, and one that is set up wrongly will be so in a second. */
const LASTING_FAULTS: ReadonlySet<UpstreamFault['kind']> = new Set(['timeout', 'tls', 'protocol']);

/** Why an attempt gave the caller no answer, or no whole one. */
export interface AttemptFailure {
  /** What the caller is told where nobody else answers. */
  error: GatewayError;
  /** In a word, for the record: `timeout`, `status_529`. */
  outcome: string;
  status: number | null;
  /** What failed: a provider that cannot be reached, the route as it served this request, or neither. */
  fault: 'unreachable' | 'route' | 'none';
  /** The same route may serve the request a moment later. */
  isRetryable: boolean;
  /** null: the provider asks for none. */
  retryAfterMs: number | null;
  /** True: the gateway itself could not take the answer. Nobody else is asked. */
  isOwn?: boolean;
}

/** The failure of an answer that had begun to come. */
export function failureOfAnswer(error: GatewayError, outcome: string, status: number | null): AttemptFailure {
  const isOwn = error.code === 'gateway_overloaded';
  const fault = isOwn ? 'none' : 'route';
  const isRetryable = !isOwn && outcome !== 'misconfigured';
  return { error, outcome, status, fault, isRetryable, retryAfterMs: null, isOwn };
}

/** The provider has answered with an error of its own. */
export function failureOfStatus(
  status: number,
  verdict: 'retryable' | 'misconfigured' | 'refused',
  header: (name: string) => string | null,
): AttemptFailure {
  return {
    error: verdict === 'misconfigured' ? MISCONFIGURED_PROVIDER : UNREADABLE_ANSWER,
    outcome: `status_${status}`,
    status,
    fault: faultOfStatus(status),
    isRetryable: verdict === 'retryable',
    retryAfterMs: parseRetryAfterMs(header, Date.now()),
  };
}

/** The connection to the provider failed. @param connectMs null: there was no connection yet */
export function failureOfConnection(fault: UpstreamFault, connectMs: number | null): AttemptFailure {
  return {
    error: errorOfFault(fault),
    outcome: fault.kind,
    status: null,
    fault: faultOfConnection(fault.kind, connectMs),
    isRetryable: !LASTING_FAULTS.has(fault.kind),
    retryAfterMs: null,
  };
}

/** A 409 or a 429 refuses one request: the route works. */
function faultOfStatus(status: number): AttemptFailure['fault'] {
  return status === 409 || status === 429 ? 'none' : 'route';
}

/** @param connectMs null: there was no connection yet */
function faultOfConnection(kind: UpstreamFault['kind'], connectMs: number | null): AttemptFailure['fault'] {
  switch (kind) {
    case 'dns':
    case 'connect':
    case 'tls':
      return 'unreachable';
    case 'timeout':
      return connectMs === null ? 'unreachable' : 'route';
    case 'stale':
      return 'none';
    case 'cut':
    case 'protocol':
      return 'route';
  }
}
