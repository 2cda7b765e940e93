import { describe, expect, it } from 'vitest';
import { getWaterfall, type Step } from './waterfall.ts';

const ANSWERED = { outcome: 'answered', durationMs: 1_600, waitMs: 0 };
const REQUEST = {
  queueMs: 2,
  holdMs: 0,
  connectMs: 0,
  firstByteMs: 500,
  latencyMs: 1_602,
  attempts: [ANSWERED],
};

const sum = (steps: readonly Step[]) => steps.reduce((total, { durationMs }) => total + durationMs, 0);

describe('getWaterfall', () => {
  it('returns checks, wait for the first byte and receiving', () => {
    expect(getWaterfall(REQUEST)).toEqual([
      { kind: 'queue', startMs: 0, durationMs: 2 },
      { kind: 'wait', startMs: 2, durationMs: 498 },
      { kind: 'receive', startMs: 500, durationMs: 1_102 },
    ]);
  });

  it('includes connecting and failed attempts before the successful one', () => {
    const attempts = [
      { outcome: 'status_529', durationMs: 100, waitMs: 0 },
      { ...ANSWERED, durationMs: 1_500 },
    ];
    expect(getWaterfall({ ...REQUEST, connectMs: 30, attempts })).toEqual([
      { kind: 'queue', startMs: 0, durationMs: 2 },
      { kind: 'failed', startMs: 2, durationMs: 100, attempt: 1 },
      { kind: 'connect', startMs: 102, durationMs: 30 },
      { kind: 'wait', startMs: 132, durationMs: 368 },
      { kind: 'receive', startMs: 500, durationMs: 1_102 },
    ]);
  });

  it('includes the waits between attempts, so that the phases add up to the latency', () => {
    const failed = { outcome: 'status_503', durationMs: 20, waitMs: 0 };
    const attempts = [failed, failed, { ...ANSWERED, durationMs: 21 }];
    const steps = getWaterfall({
      ...REQUEST,
      queueMs: 4,
      firstByteMs: 560,
      latencyMs: 567,
      holdMs: 2,
      attempts,
    });
    expect(steps).toEqual([
      { kind: 'queue', startMs: 0, durationMs: 4 },
      { kind: 'hold', startMs: 4, durationMs: 2 },
      { kind: 'failed', startMs: 6, durationMs: 20, attempt: 1 },
      { kind: 'failed', startMs: 26, durationMs: 20, attempt: 2 },
      { kind: 'pause', startMs: 46, durationMs: 500 },
      { kind: 'wait', startMs: 546, durationMs: 14 },
      { kind: 'receive', startMs: 560, durationMs: 7 },
    ]);
    expect(sum(steps)).toBe(567);
  });

  it('places the wait of each attempt before it', () => {
    const failed = { outcome: 'status_503', durationMs: 20, waitMs: 0 };
    const attempts = [failed, { ...failed, waitMs: 300 }, { ...ANSWERED, durationMs: 40, waitMs: 200 }];
    const steps = getWaterfall({ ...REQUEST, firstByteMs: 570, latencyMs: 582, attempts });
    expect(steps).toEqual([
      { kind: 'queue', startMs: 0, durationMs: 2 },
      { kind: 'failed', startMs: 2, durationMs: 20, attempt: 1 },
      { kind: 'pause', startMs: 22, durationMs: 300 },
      { kind: 'failed', startMs: 322, durationMs: 20, attempt: 2 },
      { kind: 'pause', startMs: 342, durationMs: 200 },
      { kind: 'wait', startMs: 542, durationMs: 28 },
      { kind: 'receive', startMs: 570, durationMs: 12 },
    ]);
    expect(sum(steps)).toBe(582);
  });

  it('has no wait for the first byte of a continued response, which the caller had before', () => {
    const attempts = [
      { outcome: 'cut', durationMs: 100, waitMs: 0 },
      { outcome: 'continued', durationMs: 50, waitMs: 0 },
    ];
    expect(getWaterfall({ ...REQUEST, firstByteMs: 12, latencyMs: 152, attempts })).toEqual([
      { kind: 'queue', startMs: 0, durationMs: 2 },
      { kind: 'failed', startMs: 2, durationMs: 100, attempt: 1 },
      { kind: 'receive', startMs: 102, durationMs: 50 },
    ]);
  });

  it('includes the waits of a request that failed', () => {
    const failed = { outcome: 'status_503', durationMs: 30, waitMs: 0 };
    expect(
      getWaterfall({ ...REQUEST, firstByteMs: null, latencyMs: 562, attempts: [failed, failed] }),
    ).toContainEqual({ kind: 'pause', startMs: 32, durationMs: 500 });
  });

  it('places the hold before the upstream request, or takes it from the wait for the first byte', () => {
    const before = { ...REQUEST, holdMs: 40, attempts: [{ ...ANSWERED, durationMs: 1_560 }] };
    expect(getWaterfall(before)).toContainEqual({ kind: 'hold', startMs: 2, durationMs: 40 });
    expect(sum(getWaterfall(before))).toBe(1_602);
    const inside = getWaterfall({ ...REQUEST, holdMs: 40 });
    expect(inside.slice(1, 3)).toEqual([
      { kind: 'wait', startMs: 2, durationMs: 458 },
      { kind: 'hold', startMs: 460, durationMs: 40 },
    ]);
    expect(sum(inside)).toBe(1_602);
  });

  it('takes a hold inside a failed attempt from the attempt, not from the wait after it', () => {
    const attempts = [
      { outcome: 'status_503', durationMs: 700, waitMs: 0 },
      { ...ANSWERED, durationMs: 398 },
    ];
    const steps = getWaterfall({ ...REQUEST, holdMs: 600, firstByteMs: 1_500, attempts });
    expect(steps).toEqual([
      { kind: 'queue', startMs: 0, durationMs: 2 },
      { kind: 'failed', startMs: 2, durationMs: 100, attempt: 1 },
      { kind: 'hold', startMs: 102, durationMs: 600 },
      { kind: 'pause', startMs: 702, durationMs: 502 },
      { kind: 'wait', startMs: 1_204, durationMs: 296 },
      { kind: 'receive', startMs: 1_500, durationMs: 102 },
    ]);
    expect(sum(steps)).toBe(1_602);
    const failedOnly = { ...REQUEST, holdMs: 40, firstByteMs: null };
    expect(sum(getWaterfall(failedOnly))).toBe(1_602);
  });

  it('returns only the checks for a request that reached no provider', () => {
    const refused = { ...REQUEST, firstByteMs: null, latencyMs: 3, attempts: [] };
    const other = { kind: 'other', startMs: 2, durationMs: 1 };
    expect(getWaterfall(refused)).toEqual([{ kind: 'queue', startMs: 0, durationMs: 2 }, other]);
    expect(getWaterfall({ ...refused, queueMs: null })).toEqual([
      { kind: 'other', startMs: 0, durationMs: 3 },
    ]);
  });

  it('lists phases in the order of time, without gaps, and adds up to the latency for any record', () => {
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const maybe = (below: number) => (next(4) === 0 ? null : next(below));
    const outcomes = ['status_503', 'timeout', 'answered', 'continued'];
    for (let round = 0; round < 5_000; round += 1) {
      const attempts = Array.from({ length: next(4) }, () => ({
        outcome: outcomes[next(outcomes.length)] ?? '',
        durationMs: next(400),
        waitMs: next(100),
      }));
      const latencyMs = 1 + next(900);
      const times = { queueMs: maybe(40), holdMs: maybe(300), connectMs: maybe(60), firstByteMs: maybe(900) };
      const steps = getWaterfall({ ...times, latencyMs, attempts });
      let atMs = 0;
      for (const { startMs, durationMs } of steps) {
        expect(startMs).toBe(atMs);
        expect(durationMs).toBeGreaterThan(0);
        atMs += durationMs;
      }
      expect(atMs).toBe(latencyMs);
    }
  });

  it('draws a hold that outlasts its attempt in its place, and not beyond the total', () => {
    const failed = { outcome: 'status_429', durationMs: 150, waitMs: 0 };
    const steps = getWaterfall({
      ...REQUEST,
      holdMs: 62,
      firstByteMs: null,
      latencyMs: 220,
      attempts: [failed],
    });
    expect(sum(steps)).toBe(220);
    expect(steps.map(({ kind }) => kind)).toEqual(['queue', 'hold', 'other', 'failed']);
  });

  it('ends with the attempt whose error the caller got', () => {
    const attempts = [{ outcome: 'status_503', durationMs: 1_600, waitMs: 0 }];
    expect(getWaterfall({ ...REQUEST, attempts }).at(-1)).toEqual({
      kind: 'failed',
      startMs: 2,
      durationMs: 1_600,
      attempt: 1,
    });
  });

  it('ends with a failed attempt if none succeeded', () => {
    const attempts = [{ outcome: 'timeout', durationMs: 1_600, waitMs: 0 }];
    expect(getWaterfall({ ...REQUEST, firstByteMs: null, attempts }).at(-1)).toEqual({
      kind: 'failed',
      startMs: 2,
      durationMs: 1_600,
      attempt: 1,
    });
  });
});
