import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyBudget } from './body-budget.ts';
import { BodyCollector } from './body-collector.ts';
import { DEFAULT_BODY_PACE, isTooSlow } from './read-limits.ts';

const MIB = 1024 * 1024;

function collect(declaredBytes: number | null, maxBytes = 32 * MIB) {
  const budget = new BodyBudget(64 * MIB);
  const reservation = budget.open('a');
  return { budget, collector: new BodyCollector(declaredBytes, { maxBytes, reservation }) };
}

describe('collecting a body', () => {
  it('reserves the declared length before the first byte', () => {
    const { budget, collector } = collect(20 * MIB);
    expect(collector.start()).toBeNull();
    expect(budget.usedBytes).toBe(20 * MIB);
  });

  it('refuses a declared length beyond the limit, and one beyond the budget', () => {
    expect(collect(33 * MIB).collector.start()?.code).toBe('request_too_large');
    const { budget, collector } = collect(30 * MIB);
    budget.open('a').grow(40 * MIB);
    expect(collector.start()?.code).toBe('rate_limit_bodies');
  });

  it('reserves a body of unknown length in steps, never less than has arrived', () => {
    const { budget, collector } = collect(null, 8 * MIB);
    expect(collector.start()).toBeNull();
    let last: ReturnType<BodyCollector['add']> = null;
    for (let count = 0; count < 200 && last === null; count++) {
      last = collector.add(Buffer.alloc(64 * 1024, 97));
      expect(budget.usedBytes).toBeGreaterThanOrEqual(collector.receivedBytes);
      expect(budget.usedBytes).toBeLessThanOrEqual(Math.max(128 * 1024, collector.receivedBytes * 2));
    }
    expect(last?.code).toBe('request_too_large');
    expect(collector.receivedBytes).toBe(8 * MIB);
  });

  it('returns the received bytes, however they were split', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 50_000 }), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, fc.boolean(), (parts, isDeclared) => {
        const whole = Buffer.concat(parts);
        const { collector } = collect(isDeclared ? whole.length : null);
        expect(collector.start()).toBeNull();
        for (const part of parts) expect(collector.add(Buffer.from(part))).toBeNull();
        expect(collector.finish().equals(whole)).toBe(true);
      }),
    );
  });

  it('keeps nothing of bytes that it was lent', () => {
    const memory = Buffer.alloc(8);
    for (const parts of [['whole'], ['in', ' two']]) {
      const { collector } = collect(parts.join('').length);
      for (const part of parts) {
        memory.write(part);
        expect(collector.addLent(memory.subarray(0, part.length))).toBeNull();
        memory.fill(0);
      }
      expect(collector.finish().toString()).toBe(parts.join(''));
    }
  });

  it('has separate memory for a body that it was lent, so that it can be freed', () => {
    const { collector } = collect(20_000);
    collector.addLent(Buffer.alloc(20_000));
    expect(collector.finish().buffer.byteLength).toBe(20_000);
  });
});

describe('the pace of a body', () => {
  const judge = (receivedBytes: number, elapsedMs: number, lastByteMs: number) =>
    isTooSlow(DEFAULT_BODY_PACE, { receivedBytes, elapsedMs, lastByteMs });

  it('is too slow after ten seconds without a byte', () => {
    expect(judge(30 * MIB, 9_000, 0)).toBe(false);
    expect(judge(30 * MIB, 10_001, 0)).toBe(true);
  });

  it('is too slow if single bytes keep it alive', () => {
    expect(judge(10, 10_000, 10_000)).toBe(false);
    expect(judge(12, 12_000, 12_000)).toBe(true);
    expect(judge(33 * 1024, 12_000, 12_000)).toBe(false);
  });
});
