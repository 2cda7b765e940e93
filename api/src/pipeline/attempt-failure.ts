import type { GatewayError } from '@tollgate/core/errors';
import type { UpstreamFault } from '@tollgate/upstreams/transport/transport';

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
}

/** A 409 or a 429 refuses one request: the route works. */
export function faultOfStatus(status: number): AttemptFailure['fault'] {
  return status === 409 || status === 429 ? 'none' : 'route';
}

/** @param connectMs null: there was no connection yet */
export function faultOfConnection(
  kind: UpstreamFault['kind'],
  connectMs: number | null,
): AttemptFailure['fault'] {
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
