import type { UpstreamFault } from '../transport.ts';
import { ProtocolError } from './protocol-error.ts';

/** How far a connection has come when it fails. */
export type ConnectionPhase = 'connecting' | 'securing' | 'ready';

/** What a call is told when its connection fails. */
export function faultOfConnection(phase: ConnectionPhase, error: Error): UpstreamFault {
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

/** What a call is told when its answer could not be read, or not be taken. */
export function faultOfReading(error: unknown): UpstreamFault {
  if (error instanceof ProtocolError) return { kind: 'protocol', detail: error.message };
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'cut', detail: `the answer could not be taken: ${detail}` };
}

function describe(error: Error): string {
  // Where a name has several addresses, each of them failed in its own way.
  if (error instanceof AggregateError)
    return error.errors.map((each) => (each instanceof Error ? describe(each) : String(each))).join('; ');
  return 'code' in error && typeof error.code === 'string'
    ? `${error.code}: ${error.message}`
    : error.message;
}
