import { expect, it } from 'vitest';
import { isPassed, judge, type Figures } from './verdicts.ts';

const GOOD: Figures = {
  overPortkey: 8,
  overNginx: 0.17,
  addedP99Ms: 10,
  memoryMb: 399,
  translatedOverRelayed: 0.5,
  addedFirstByteP99Ms: 5,
  chunksLost: 0,
  answered: 1_000,
  recorded: 1_064,
};

it('passes what meets each target exactly', () => {
  expect(judge(GOOD).map((verdict) => verdict.ok)).toEqual(Array(8).fill(true));
  expect(judge(GOOD)[0]?.text).toBe('PASS  8.0 × Portkey (target ≥ 8 ×)');
});

it('fails each target by itself, and what was not measured', () => {
  const bad: Figures = {
    overPortkey: 7.9,
    overNginx: 0.16,
    addedP99Ms: 10.1,
    memoryMb: 400,
    translatedOverRelayed: 0.49,
    addedFirstByteP99Ms: 5.1,
    chunksLost: 1,
    answered: 1_000,
    recorded: 999,
  };
  expect(judge(bad).some((verdict) => verdict.ok)).toBe(false);
  expect(judge({ ...GOOD, addedP99Ms: Number.NaN })[2]?.ok).toBe(false);
});

it('forgives a quick run its speed, never a lost chunk', () => {
  const slow = judge({ ...GOOD, overPortkey: 1 });
  expect([isPassed(slow, false), isPassed(slow, true)]).toEqual([false, true]);
  expect(isPassed(judge({ ...GOOD, chunksLost: 1 }), true)).toBe(false);
});
