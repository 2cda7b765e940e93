import { describe, expect, it } from 'vitest';
import { drawMonth, getEnd, type MonthTerms } from './draw-month.ts';
import { planTopUps } from './plan-top-ups.ts';
import { KEY_PROFILES } from './profiles.ts';
import { HOUR_MS, getHours, shareOut } from './rhythm.ts';

const SINCE_MS = Date.UTC(2026, 9, 22, 17, 31, 12);
const span = { sinceMs: SINCE_MS, untilMs: SINCE_MS + 30 * 24 * HOUR_MS };
const terms: MonthTerms = { span, requests: 5_000, seed: 1, routeId: 'route_x' };
const USD = 1_000_000_000n;

describe('a synthetic month', () => {
  const month = [...drawMonth(KEY_PROFILES, terms)];

  it('has the given number of requests, all within the month', () => {
    expect(month).toHaveLength(5_000);
    for (const { startedAtMs, key } of month) {
      expect(startedAtMs).toBeGreaterThanOrEqual(span.sinceMs);
      // A key revoked within an hour is used for the whole hour.
      expect(startedAtMs).toBeLessThan(Math.min(span.untilMs, getEnd(key, span) + HOUR_MS));
    }
  });

  it('is the same with the same seed and different with another', () => {
    expect([...drawMonth(KEY_PROFILES, terms)]).toEqual(month);
    expect([...drawMonth(KEY_PROFILES, { ...terms, seed: 2 })]).not.toEqual(month);
  });

  it('has consistent timestamps', () => {
    for (const { queueMs, holdMs, connectMs, firstByteMs, latencyMs } of month) {
      if (firstByteMs === null) continue;
      expect(firstByteMs).toBeGreaterThanOrEqual((queueMs ?? 0) + (holdMs ?? 0) + (connectMs ?? 0));
      expect(latencyMs).toBeGreaterThanOrEqual(firstByteMs);
    }
  });

  it('has responses, errors and disconnects, and no cost without a provider', () => {
    const codes = new Set(month.map(({ errorCode }) => errorCode));
    for (const code of [null, 'client_gone', 'rate_limit_requests', 'upstream_overloaded'])
      expect(codes).toContain(code);
    const errors = month.filter(({ errorCode }) => errorCode !== null && errorCode !== 'client_gone');
    expect(errors.length).toBeLessThan(month.length * 0.06);
    for (const { isForwarded, usage } of month) if (!isForwarded) expect(usage.inputTokens).toBe(0);
  });
});

describe('getHours', () => {
  it('splits a span at every full hour', () => {
    const hours = getHours(span);
    expect(hours).toHaveLength(30 * 24 + 1);
    expect(hours[0]).toEqual({ sinceMs: SINCE_MS, untilMs: Date.UTC(2026, 9, 22, 18) });
    expect(hours.at(-1)?.untilMs).toBe(span.untilMs);
  });
});

describe('shareOut', () => {
  it('returns whole shares with the same sum', () => {
    expect(shareOut(10, [1, 1, 1])).toEqual([3, 4, 3]);
    expect(shareOut(7, [0, 5, 0])).toEqual([0, 7, 0]);
    expect(shareOut(7, [0, 0])).toEqual([0, 0]);
  });
});

describe('planTopUps', () => {
  it('tops up before the balance is too low', () => {
    const hours = [0, 1, 2, 3].map((hour) => ({ startMs: hour * HOUR_MS, costNanoUsd: 6n * USD }));
    const paid = planTopUps(hours);
    expect(new Set(paid.map(({ cents }) => cents))).toEqual(new Set([500]));
    for (const { startMs } of hours) {
      const before = paid.filter(({ atMs }) => atMs < startMs).length;
      expect(BigInt(before) * 5n).toBeGreaterThanOrEqual(6n * BigInt(startMs / HOUR_MS + 1));
    }
    expect(paid).toHaveLength(5);
  });

  it('plans nothing without spending', () => {
    expect(planTopUps([{ startMs: 0, costNanoUsd: 0n }])).toEqual([]);
  });
});
