import { expect, it } from 'vitest';
import { judgeTarget, type Target } from './targets.ts';

const RATIO: Target = {
  name: 'bodies of 20 kB',
  unit: ' × 5a0ec7e',
  decimals: 2,
  rounds: [1.9, 2, 2.1],
  bound: 'at least',
  target: 1.8,
  counts: 'median',
  othersShare: 0.01,
};

it('passes and fails by the median of the rounds', () => {
  expect(judgeTarget(RATIO)).toEqual({
    outcome: 'pass',
    text: 'PASS  bodies of 20 kB: 2.00 × 5a0ec7e (1.90 to 2.10) (target ≥ 1.8 × 5a0ec7e)',
  });
  expect(judgeTarget({ ...RATIO, rounds: [1.6, 1.7, 1.65] }).outcome).toBe('fail');
  expect(judgeTarget({ ...RATIO, bound: 'at most', target: 3 }).outcome).toBe('pass');
});

it('gives no verdict if the rounds are further apart than the distance to the target', () => {
  const { outcome, text } = judgeTarget({ ...RATIO, rounds: [1.4, 1.9, 2.2] });
  expect(outcome).toBe('open');
  expect(text).toContain('no verdict: the rounds are further apart');
});

it('gives no verdict on speed if other programs used the core', () => {
  const { outcome, text } = judgeTarget({ ...RATIO, othersShare: 0.4 });
  expect(outcome).toBe('open');
  expect(text).toContain('other programs used 40 % of the core');
  expect(judgeTarget({ ...RATIO, othersShare: null }).outcome).toBe('pass');
});

it('believes a time below its limit on a busy machine, but none above it', () => {
  const time = { ...RATIO, bound: 'at most', counts: 'worst', target: 5, othersShare: 0.4 } as const;
  expect(judgeTarget({ ...time, rounds: [1, 4.9] }).outcome).toBe('pass');
  expect(judgeTarget({ ...time, rounds: [1, 5.1] }).outcome).toBe('open');
  expect(judgeTarget({ ...time, rounds: [1, 5.1], othersShare: 0 }).outcome).toBe('fail');
});

it('fails what was asked for and not measured', () => {
  expect(judgeTarget({ ...RATIO, rounds: [Number.NaN] }).outcome).toBe('fail');
});
