import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryLimits } from './memory-limits.ts';

function clockAt(startMs: number) {
  let nowMs = startMs;
  return { nowMs: () => nowMs, turnMs: (ms: number) => (nowMs += ms) };
}

describe('MemoryLimits', () => {
  it('refuses the request after the last one of the window and says when it may come', () => {
    const clock = clockAt(1_000_000);
    const limits = new MemoryLimits(clock);
    expect(limits.take('key', { rpm: 2, tpm: null })).toMatchObject({
      ok: true,
      state: { requests: { remaining: 1 } },
    });
    clock.turnMs(10_000);
    expect(limits.take('key', { rpm: 2, tpm: null }).ok).toBe(true);
    const refused = limits.take('key', { rpm: 2, tpm: null });
    expect(refused).toMatchObject({ ok: false, limit: 'requests', retryAfterMs: 50_000 });
    clock.turnMs(49_999);
    expect(limits.take('key', { rpm: 2, tpm: null }).ok).toBe(false);
    clock.turnMs(1);
    expect(limits.take('key', { rpm: 2, tpm: null }).ok).toBe(true);
  });

  it('refuses by tokens once what was recorded reaches the limit', () => {
    const clock = clockAt(5_000_000);
    const limits = new MemoryLimits(clock);
    expect(limits.take('key', { rpm: null, tpm: 100 }).ok).toBe(true);
    limits.recordTokens('key', 99);
    expect(limits.take('key', { rpm: null, tpm: 100 }).ok).toBe(true);
    limits.recordTokens('key', 1);
    expect(limits.take('key', { rpm: null, tpm: 100 })).toMatchObject({
      ok: false,
      limit: 'tokens',
      retryAfterMs: 60_000,
    });
  });

  it('keeps keys apart', () => {
    const limits = new MemoryLimits(clockAt(0));
    expect(limits.take('a', { rpm: 1, tpm: null }).ok).toBe(true);
    expect(limits.take('b', { rpm: 1, tpm: null }).ok).toBe(true);
    expect(limits.take('a', { rpm: 1, tpm: null }).ok).toBe(false);
  });

  it('never admits more than RPM in any 60 seconds, and always the request that waited as told', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 1, maxLength: 300 }),
        (rpm, gapsMs) => {
          const clock = clockAt(0);
          const limits = new MemoryLimits(clock);
          const admitted: number[] = [];
          for (const gapMs of gapsMs) {
            clock.turnMs(gapMs);
            const decision = limits.take('key', { rpm, tpm: null });
            if (!decision.ok) {
              clock.turnMs(decision.retryAfterMs);
              expect(limits.take('key', { rpm, tpm: null }).ok).toBe(true);
            }
            admitted.push(clock.nowMs());
          }
          for (let i = rpm; i < admitted.length; i++) {
            expect((admitted[i] ?? 0) - (admitted[i - rpm] ?? 0)).toBeGreaterThanOrEqual(60_000);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
