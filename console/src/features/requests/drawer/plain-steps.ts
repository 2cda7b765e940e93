import type { Step, StepKind } from './waterfall.ts';

/** A phase as callers know it: without what the gateway does inside. */
export type PlainKind = 'gateway' | 'failed' | 'pause' | 'wait' | 'receive';

export interface PlainStep {
  kind: PlainKind;
  startMs: number;
  durationMs: number;
  attempt?: number;
}

const KINDS: Record<StepKind, PlainKind> = {
  queue: 'gateway',
  hold: 'gateway',
  other: 'gateway',
  failed: 'failed',
  pause: 'pause',
  connect: 'wait',
  wait: 'wait',
  receive: 'receive',
};

/** Joins phases of one kind that follow each other. They still add up to the latency. */
export function getPlainSteps(steps: readonly Step[]): PlainStep[] {
  const plain: PlainStep[] = [];
  for (const step of steps) {
    const kind = KINDS[step.kind];
    const last = plain.at(-1);
    if (last?.kind === kind && last.attempt === step.attempt)
      plain[plain.length - 1] = { ...last, durationMs: last.durationMs + step.durationMs };
    else plain.push({ ...step, kind });
  }
  return plain;
}
