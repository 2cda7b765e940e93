import type { UpstreamFault } from '../transport.ts';
import type { Http1Call } from './http1-call.ts';

/** What is known of a connection at one moment; times by `performance.now()`. */
export interface Moment {
  nowMs: number;
  /** When something last moved on the connection. */
  movedMs: number;
  isReady: boolean;
}

/** Which of its timeouts a call has passed. @returns null where none */
export function overdueFault(call: Http1Call, { nowMs, movedMs, isReady }: Moment): UpstreamFault | null {
  const { connectMs, firstByteMs, idleMs, totalMs } = call.timeouts;
  if (nowMs - call.startedMs > totalMs) return late(`no whole answer within ${totalMs} ms`);
  if (!isReady) {
    return nowMs - call.startedMs > connectMs
      ? { kind: 'connect', detail: `no connection within ${connectMs} ms` }
      : null;
  }
  if (!call.hasStarted)
    return nowMs - movedMs > firstByteMs ? late(`no answer within ${firstByteMs} ms`) : null;
  // A caller who reads slowly is not the provider's silence.
  return !call.isPaused && nowMs - movedMs > idleMs ? late(`nothing came for ${idleMs} ms`) : null;
}

function late(detail: string): UpstreamFault {
  return { kind: 'timeout', detail };
}
