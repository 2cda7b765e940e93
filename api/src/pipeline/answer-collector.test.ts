import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { BodyBudget } from '../request-body/body-budget.ts';
import { AnswerCollector } from './answer-collector.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

function collect(chunks: readonly Buffer[], { totalBytes = 96 * MIB, declaredBytes = 0 } = {}) {
  const budget = new BodyBudget(totalBytes);
  const collector = new AnswerCollector(() => budget.open('a'), declaredBytes);
  const shortages = chunks.map((chunk) => collector.add(chunk));
  return { budget, collector, shortages };
}

const getPieces = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );

describe('the response collector', () => {
  it.each([1, 1_000, 64 * KIB, 700 * KIB])(
    'returns a response that arrived in pieces of %i bytes',
    (size) => {
      const bytes = Buffer.from(Array.from({ length: 900 * KIB }, (_, at) => at % 251));
      const { collector } = collect(getPieces(bytes, size));
      expect(collector.size).toBe(bytes.length);
      expect(Buffer.concat(collector.pieces()).equals(bytes)).toBe(true);
    },
  );

  it('reserves nothing up to 64 KiB, and everything above', () => {
    const small = collect(getPieces(Buffer.alloc(64 * KIB), 1_000));
    expect(small.budget.usedBytes).toBe(0);
    const { collector, budget } = collect([...getPieces(Buffer.alloc(64 * KIB), 1_000), Buffer.alloc(1)]);
    const heldBytes = collector.pieces().reduce((sum, piece) => sum + piece.buffer.byteLength, 0);
    expect(budget.usedBytes).toBe(heldBytes);
    collector.release();
    expect(budget.usedBytes).toBe(0);
  });

  it('reserves a declared length immediately', () => {
    const { budget } = collect([Buffer.alloc(65 * KIB)], { declaredBytes: 20 * MIB });
    expect(budget.usedBytes).toBe(20 * MIB);
    const { shortages } = collect([Buffer.alloc(65 * KIB)], { declaredBytes: 60 * MIB });
    expect(shortages).toEqual(['account']);
  });

  it('keeps no part of a piece for which memory is short', () => {
    const bytes = Buffer.from(Array.from({ length: 900 * KIB }, (_, at) => at % 251));
    const budget = new BodyBudget(96 * MIB);
    const others = budget.open('a');
    const collector = new AnswerCollector(() => budget.open('a'), 0);
    expect(collector.add(bytes.subarray(0, 300 * KIB))).toBeNull();
    others.grow(budget.accountBytes - budget.usedBytes);
    expect(collector.add(bytes.subarray(300 * KIB))).toBe('account');
    expect(collector.size).toBe(300 * KIB);
    expect(Buffer.concat(collector.pieces()).equals(bytes.subarray(0, 300 * KIB))).toBe(true);
  });

  it('keeps only the size of a response whose bytes are not needed', () => {
    const { collector, budget } = collect(getPieces(Buffer.alloc(900 * KIB), 1_000));
    collector.clear();
    expect(collector.pieces()).toEqual([]);
    expect(budget.usedBytes).toBe(0);
    expect(collector.size).toBe(900 * KIB);
    const small = collect([Buffer.alloc(KIB)]);
    small.collector.clear();
    expect(small.collector.pieces()).toEqual([]);
  });

  it('keeps memory reserved after it is handed over', () => {
    const { budget, collector } = collect([Buffer.alloc(2 * MIB)]);
    const release = collector.passOn();
    collector.release();
    expect(budget.usedBytes).toBeGreaterThanOrEqual(2 * MIB);
    release();
    expect(budget.usedBytes).toBe(0);
  });
});
