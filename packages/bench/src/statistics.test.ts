import { describe, expect, it } from 'vitest';
import { median, medianRatio, percentile } from './statistics.ts';

describe('percentile', () => {
  it('takes the nearest rank and leaves the samples in their order', () => {
    const samples = Float64Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(samples, 0.5)).toBe(50);
    expect(percentile(samples, 0.99)).toBe(99);
    expect(percentile(samples, 1)).toBe(100);
    expect(samples[0]).toBe(100);
  });

  it('sorts by value, not by text', () => {
    expect(percentile([10, 9, 100], 0.5)).toBe(10);
  });

  it('is not a number where nothing was measured', () => {
    expect(percentile([], 0.99)).toBeNaN();
  });
});

describe('median', () => {
  it('takes the middle of an odd number and the mean of the middle two of an even one', () => {
    expect(median([30, 10, 20])).toBe(20);
    expect(median([40, 10, 20, 30])).toBe(25);
    expect(median([])).toBeNaN();
  });
});

describe('medianRatio', () => {
  it('pairs the rounds, so that a machine which halves its speed does not move the ratio', () => {
    expect(medianRatio([800, 400, 400], [100, 50, 50])).toBe(8);
  });
});
