import type { RequestDetail } from '../../../lib/trpc.ts';

type Timed = Pick<RequestDetail, 'queueMs' | 'holdMs' | 'connectMs' | 'firstByteMs' | 'latencyMs'> & {
  attempts: readonly Pick<RequestDetail['attempts'][number], 'outcome' | 'durationMs'>[];
};

export type StepKind = 'queue' | 'hold' | 'failed' | 'pause' | 'connect' | 'wait' | 'receive';

/** A phase of a request, in milliseconds since it was received. */
export interface Step {
  kind: StepKind;
  startMs: number;
  durationMs: number;
  /** Number of the failed attempt, starting at 1. */
  attempt?: number;
}

/** Shorter pauses are the gateway's own work between two attempts. */
const MIN_PAUSE_MS = 5;

/**
 * Splits the latency of a request into phases. Only the sum of the waits between attempts is known: it is one phase before
 * the last attempt, and a failed attempt starts where the previous one ended.
 */
export function getWaterfall(request: Timed): Step[] {
  const { queueMs, connectMs, firstByteMs, latencyMs, attempts } = request;
  const steps: Step[] = [];
  if (queueMs !== null) steps.push({ kind: 'queue', startMs: 0, durationMs: queueMs });
  const last = attempts.at(-1);
  if (last === undefined) return withHold(steps, request, queueMs ?? 0);
  const askedAtMs = Math.max(latencyMs - last.durationMs, queueMs ?? 0);
  const failed = attempts.slice(0, -1);
  const failedMs = failed.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const pauseMs = getPause(request, askedAtMs - failedMs);
  const firstAskedAtMs = Math.max(askedAtMs - failedMs - pauseMs, queueMs ?? 0);
  withHold(steps, request, firstAskedAtMs);
  let atMs = firstAskedAtMs;
  for (const [index, { durationMs }] of failed.entries()) {
    steps.push({ kind: 'failed', startMs: atMs, durationMs, attempt: index + 1 });
    atMs += durationMs;
  }
  if (pauseMs > 0) steps.push({ kind: 'pause', startMs: askedAtMs - pauseMs, durationMs: pauseMs });
  if (firstByteMs === null) {
    steps.push({
      kind: 'failed',
      startMs: askedAtMs,
      durationMs: latencyMs - askedAtMs,
      attempt: attempts.length,
    });
    return steps;
  }
  const connected = Math.min(connectMs ?? 0, Math.max(firstByteMs - askedAtMs, 0));
  if (connected > 0) steps.push({ kind: 'connect', startMs: askedAtMs, durationMs: connected });
  const waitsFrom = askedAtMs + connected;
  steps.push({ kind: 'wait', startMs: waitsFrom, durationMs: Math.max(firstByteMs - waitsFrom, 0) });
  steps.push({ kind: 'receive', startMs: firstByteMs, durationMs: Math.max(latencyMs - firstByteMs, 0) });
  return steps;
}

/** The time before `untilMs` that no phase explains, if an attempt failed before: the gateway waited to retry. */
function getPause({ queueMs, holdMs, attempts }: Timed, untilMs: number): number {
  const pauseMs = untilMs - (queueMs ?? 0) - (holdMs ?? 0);
  return attempts.length > 1 && pauseMs >= MIN_PAUSE_MS ? pauseMs : 0;
}

/**
 * A hold runs before the upstream request if the balance is low. Otherwise both run in parallel, and the request waits for
 * the hold only if the provider is faster: then the hold ends with the first byte.
 */
function withHold(steps: Step[], request: Timed, askedAtMs: number): Step[] {
  const { queueMs, holdMs, firstByteMs } = request;
  if (holdMs === null || holdMs === 0) return steps;
  const isBefore = firstByteMs === null || askedAtMs - (queueMs ?? 0) >= holdMs;
  steps.push({
    kind: 'hold',
    startMs: isBefore ? (queueMs ?? 0) : Math.max(firstByteMs - holdMs, 0),
    durationMs: holdMs,
  });
  return steps;
}
