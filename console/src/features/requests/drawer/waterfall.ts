import type { RequestDetail } from '../../../lib/trpc.ts';

type Timed = Pick<RequestDetail, 'queueMs' | 'holdMs' | 'connectMs' | 'firstByteMs' | 'latencyMs'> & {
  attempts: readonly Pick<RequestDetail['attempts'][number], 'outcome' | 'durationMs' | 'waitMs'>[];
};

export type StepKind = 'queue' | 'hold' | 'failed' | 'pause' | 'connect' | 'wait' | 'receive' | 'other';

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

/** Times are rounded one by one. */
const ROUNDING_MS = 2;

/**
 * Splits the latency of a request into phases, in the order of time and without gaps: they add up to the latency. Records of
 * earlier releases have no waits of attempts: then all waits are one phase before the last attempt.
 */
export function getWaterfall(request: Timed): Step[] {
  return closeGaps(getPhases(request), request.latencyMs);
}

/** Each phase begins where the one before ends. Time that belongs to none is the gateway's own work. */
function closeGaps(phases: readonly Step[], latencyMs: number): Step[] {
  const steps: Step[] = [];
  let atMs = 0;
  const fillTo = (endMs: number) => {
    if (endMs > atMs) steps.push({ kind: 'other', startMs: atMs, durationMs: endMs - atMs });
    atMs = Math.max(atMs, endMs);
  };
  for (const phase of phases.toSorted((a, b) => a.startMs - b.startMs)) {
    const endMs = Math.min(phase.startMs + phase.durationMs, latencyMs);
    fillTo(Math.min(phase.startMs, latencyMs));
    if (endMs > atMs) steps.push({ ...phase, startMs: atMs, durationMs: endMs - atMs });
    atMs = Math.max(atMs, endMs);
  }
  fillTo(latencyMs);
  return steps;
}

/** The recorded phases. Times are measured one by one, so that phases can overlap by a few milliseconds. */
function getPhases(request: Timed): Step[] {
  const { queueMs, connectMs, firstByteMs, latencyMs, attempts } = request;
  const steps: Step[] = [];
  const admittedAtMs = queueMs ?? 0;
  if (queueMs !== null) steps.push({ kind: 'queue', startMs: 0, durationMs: queueMs });
  const last = attempts.at(-1);
  if (last === undefined) return withHold(steps, admittedAtMs, request.holdMs ?? 0);
  const askedAtMs = Math.max(latencyMs - last.durationMs, admittedAtMs);
  const failed = attempts.slice(0, -1);
  const failedMs = failed.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const freeMs = Math.max(askedAtMs - failedMs - admittedAtMs, 0);
  const hold = placeHold(request, freeMs);
  const pausesMs = getPauses(request, freeMs - hold.beforeMs);
  withHold(steps, admittedAtMs, hold.beforeMs);
  const pauseMs = pausesMs.reduce((sum, each) => sum + each, 0);
  let atMs = Math.max(askedAtMs - failedMs - pauseMs, admittedAtMs);
  for (const [index, { durationMs }] of failed.entries()) {
    atMs = withPause(steps, atMs, pausesMs[index] ?? 0);
    const insideMs = index === 0 ? Math.min(hold.insideMs, durationMs) : 0;
    steps.push({ kind: 'failed', startMs: atMs, durationMs: durationMs - insideMs, attempt: index + 1 });
    atMs += durationMs;
    withHold(steps, atMs - insideMs, insideMs);
  }
  const lastPauseMs = pausesMs.at(-1) ?? 0;
  withPause(steps, askedAtMs - lastPauseMs, lastPauseMs);
  const insideLastMs = failed.length === 0 ? hold.insideMs : 0;
  // An error response has a first byte, too.
  if (firstByteMs === null || last.outcome.startsWith('status_')) {
    const durationMs = latencyMs - askedAtMs;
    const insideMs = Math.min(insideLastMs, durationMs);
    const attempt = attempts.length;
    steps.push({ kind: 'failed', startMs: askedAtMs, durationMs: durationMs - insideMs, attempt });
    return withHold(steps, latencyMs - insideMs, insideMs);
  }
  // The last attempt has written the rest of a response that another one began.
  if (last.outcome === 'continued' && firstByteMs <= askedAtMs) {
    steps.push({ kind: 'receive', startMs: askedAtMs, durationMs: Math.max(latencyMs - askedAtMs, 0) });
    return steps;
  }
  const connected = Math.min(connectMs ?? 0, Math.max(firstByteMs - askedAtMs, 0));
  if (connected > 0) steps.push({ kind: 'connect', startMs: askedAtMs, durationMs: connected });
  const waitsFrom = askedAtMs + connected;
  const waitMs = Math.max(firstByteMs - waitsFrom, 0);
  const insideMs = Math.min(insideLastMs, waitMs);
  steps.push({ kind: 'wait', startMs: waitsFrom, durationMs: waitMs - insideMs });
  withHold(steps, firstByteMs - insideMs, insideMs);
  steps.push({ kind: 'receive', startMs: firstByteMs, durationMs: Math.max(latencyMs - firstByteMs, 0) });
  return steps;
}

/**
 * The wait before each attempt.
 * @param restMs the time outside the attempts and the hold
 */
function getPauses({ attempts }: Timed, restMs: number): number[] {
  let leftMs = Math.max(restMs, 0);
  const pauses = attempts.map(({ waitMs }, index) => {
    const pauseMs = index === 0 ? 0 : Math.min(waitMs, leftMs);
    leftMs -= pauseMs;
    return pauseMs;
  });
  const last = attempts.length - 1;
  if (last > 0 && leftMs >= MIN_PAUSE_MS) pauses[last] = (pauses[last] ?? 0) + leftMs;
  return pauses;
}

/** @returns the end of the pause */
function withPause(steps: Step[], startMs: number, durationMs: number): number {
  if (durationMs > 0) steps.push({ kind: 'pause', startMs, durationMs });
  return startMs + durationMs;
}

/**
 * A hold runs before the first attempt if the balance is low. Otherwise both run in parallel, and the attempt waits for the
 * hold at its end, or before the first byte, if the provider is faster.
 * @param freeMs the time outside the attempts
 */
function placeHold({ holdMs }: Timed, freeMs: number): { beforeMs: number; insideMs: number } {
  const waitMs = holdMs ?? 0;
  const isBefore = freeMs > 0 && freeMs >= waitMs - ROUNDING_MS;
  return isBefore ? { beforeMs: Math.min(waitMs, freeMs), insideMs: 0 } : { beforeMs: 0, insideMs: waitMs };
}

function withHold(steps: Step[], startMs: number, durationMs: number): Step[] {
  if (durationMs > 0) steps.push({ kind: 'hold', startMs, durationMs });
  return steps;
}
