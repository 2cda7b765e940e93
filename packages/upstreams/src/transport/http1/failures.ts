import type { UpstreamFailure } from '../transport.ts';
import { ProtocolError } from './protocol-error.ts';

/** Phase of a connection when it fails. */
export type ConnectionPhase = 'connecting' | 'securing' | 'ready';

/** The failure of a call whose connection failed. */
export function getConnectionFailure(phase: ConnectionPhase, error: Error): UpstreamFailure {
  const detail = describe(error);
  switch (phase) {
    case 'connecting':
      return { kind: 'syscall' in error && error.syscall === 'getaddrinfo' ? 'dns' : 'connect', detail };
    case 'securing':
      return { kind: 'tls', detail };
    case 'ready':
      return { kind: 'cut', detail };
  }
}

/** The failure of a call whose response could not be read, or whose listener threw. */
export function getReadingFailure(error: unknown): UpstreamFailure {
  if (error instanceof ProtocolError) return { kind: 'protocol', detail: error.message };
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'cut', detail: `the answer could not be taken: ${detail}` };
}

function describe(error: Error): string {
  // If a name has several addresses, each of them has its own error.
  if (error instanceof AggregateError)
    return error.errors.map((each) => (each instanceof Error ? describe(each) : String(each))).join('; ');
  return 'code' in error && typeof error.code === 'string'
    ? `${error.code}: ${error.message}`
    : error.message;
}
