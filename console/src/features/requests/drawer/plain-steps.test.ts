import { expect, it } from 'vitest';
import { getPlainSteps } from './plain-steps.ts';
import type { Step } from './waterfall.ts';

it('joins the work of the gateway and the wait for the provider', () => {
  const steps: Step[] = [
    { kind: 'queue', startMs: 0, durationMs: 2 },
    { kind: 'hold', startMs: 2, durationMs: 3 },
    { kind: 'failed', startMs: 5, durationMs: 10, attempt: 1 },
    { kind: 'failed', startMs: 15, durationMs: 10, attempt: 2 },
    { kind: 'pause', startMs: 25, durationMs: 5 },
    { kind: 'connect', startMs: 30, durationMs: 4 },
    { kind: 'wait', startMs: 34, durationMs: 6 },
    { kind: 'hold', startMs: 40, durationMs: 1 },
    { kind: 'receive', startMs: 41, durationMs: 9 },
  ];
  const plain = getPlainSteps(steps);
  expect(plain).toEqual([
    { kind: 'gateway', startMs: 0, durationMs: 5 },
    { kind: 'failed', startMs: 5, durationMs: 10, attempt: 1 },
    { kind: 'failed', startMs: 15, durationMs: 10, attempt: 2 },
    { kind: 'pause', startMs: 25, durationMs: 5 },
    { kind: 'wait', startMs: 30, durationMs: 10 },
    { kind: 'gateway', startMs: 40, durationMs: 1 },
    { kind: 'receive', startMs: 41, durationMs: 9 },
  ]);
  expect(plain.reduce((sum, { durationMs }) => sum + durationMs, 0)).toBe(50);
  expect(getPlainSteps([])).toEqual([]);
});
