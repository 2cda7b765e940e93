import type { UpstreamFailure, UpstreamTimeouts } from './transport.ts';

/** The parts of a call that its timeouts depend on. */
export interface TimedCall {
  readonly timeouts: UpstreamTimeouts;
  /** `performance.now()` at the start. */
  readonly startedMs: number;
  /** True once the response's headers have arrived. */
  readonly hasStarted: boolean;
  readonly isPaused: boolean;
}

/** Snapshot of a connection; times by `performance.now()`. */
export interface Moment {
  nowMs: number;
  /** Time of the last progress. */
  movedMs: number;
  isReady: boolean;
}

/** Finds the timeout that a call has exceeded. @returns null if none */
export function findOverdue(call: TimedCall, { nowMs, movedMs, isReady }: Moment): UpstreamFailure | null {
  const { connectMs, firstByteMs, idleMs, totalMs } = call.timeouts;
  if (nowMs - call.startedMs > totalMs) return late(`no whole answer within ${totalMs} ms`);
  if (!isReady) {
    return nowMs - call.startedMs > connectMs
      ? { kind: 'connect', detail: `no connection within ${connectMs} ms` }
      : null;
  }
  if (!call.hasStarted)
    return nowMs - movedMs > firstByteMs ? late(`no answer within ${firstByteMs} ms`) : null;
  // A slow caller does not count as a silent provider.
  return !call.isPaused && nowMs - movedMs > idleMs ? late(`nothing came for ${idleMs} ms`) : null;
}

function late(detail: string): UpstreamFailure {
  return { kind: 'timeout', detail };
}
