import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LATENCY_BOUNDS_MS, quantileMs } from './latency.ts';

const BUCKETS = LATENCY_BOUNDS_MS.length + 1;
const LONGEST_MS = LATENCY_BOUNDS_MS.at(-1) ?? 0;
const getBucket = (timeMs: number) => LATENCY_BOUNDS_MS.filter((bound) => bound <= timeMs).length;

function getCounts(timesMs: readonly number[]): number[] {
  const counts = Array.from({ length: BUCKETS }, () => 0);
  for (const timeMs of timesMs) counts[getBucket(timeMs)] = (counts[getBucket(timeMs)] ?? 0) + 1;
  return counts;
}

/** The smallest time that the given fraction of times does not exceed. */
function trueQuantile(timesMs: readonly number[], quantile: number): number {
  const rank = Math.max(1, Math.ceil(quantile * timesMs.length));
  return timesMs.toSorted((a, b) => a - b)[rank - 1] ?? Number.NaN;
}

const timeMs = fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 2_147_483_647 }));
const times = fc.array(timeMs, { minLength: 1, maxLength: 200 });
const quantile = fc.constantFrom(0, 0.01, 0.5, 0.9, 0.95, 0.99, 1);

describe('LATENCY_BOUNDS_MS', () => {
  it('rises from 10 ms to 10 minutes in steps of about 50%', () => {
    expect([LATENCY_BOUNDS_MS[0], LONGEST_MS]).toEqual([10, 600_000]);
    for (const [at, bound] of LATENCY_BOUNDS_MS.slice(1).entries()) {
      const step = bound / (LATENCY_BOUNDS_MS[at] ?? 0);
      expect(step).toBeGreaterThan(1.45);
      expect(step).toBeLessThan(1.55);
    }
  });
});

describe('quantileMs', () => {
  it('is null without counts', () => {
    expect(quantileMs(getCounts([]), 0.5)).toBeNull();
    expect(quantileMs([], 0.5)).toBeNull();
  });

  it('places a single time in the middle of its bucket', () => {
    expect(quantileMs(getCounts([12]), 0.5)).toBe(12.5);
  });

  it('returns the lower bound of the last bucket', () => {
    expect(quantileMs(getCounts([5_000_000]), 0.95)).toBe(LONGEST_MS);
  });

  it('lies in the bucket of the true quantile', () => {
    fc.assert(
      fc.property(times, quantile, (timesMs, wanted) => {
        const found = quantileMs(getCounts(timesMs), wanted) ?? Number.NaN;
        expect(getBucket(found)).toBe(getBucket(trueQuantile(timesMs, wanted)));
      }),
    );
  });

  it('differs by less than half of the true quantile between 10 ms and 10 minutes', () => {
    const usual = fc.array(fc.integer({ min: 10, max: 599_999 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(usual, quantile, (timesMs, wanted) => {
        const exact = trueQuantile(timesMs, wanted);
        const found = quantileMs(getCounts(timesMs), wanted) ?? Number.NaN;
        expect(Math.abs(found - exact)).toBeLessThan(exact * 0.55);
      }),
    );
  });

  it('does not decrease for a higher quantile', () => {
    fc.assert(
      fc.property(times, quantile, quantile, (timesMs, one, other) => {
        const counts = getCounts(timesMs);
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(quantileMs(counts, less) ?? 0).toBeLessThanOrEqual(quantileMs(counts, more) ?? 0);
      }),
    );
  });

  it('is the same for hours counted together and for added counts', () => {
    fc.assert(
      fc.property(times, times, quantile, (one, other, wanted) => {
        const others = getCounts(other);
        const added = getCounts(one).map((count, bucket) => count + (others[bucket] ?? 0));
        expect(quantileMs(added, wanted)).toBe(quantileMs(getCounts([...one, ...other]), wanted));
      }),
    );
  });
});
