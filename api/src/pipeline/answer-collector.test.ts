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

const piecesOf = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );

describe('the response collector', () => {
  it.each([1, 1_000, 64 * KIB, 700 * KIB])(
    'returns a response that arrived in pieces of %i bytes',
    (size) => {
      const bytes = Buffer.from(Array.from({ length: 900 * KIB }, (_, at) => at % 251));
      const { collector } = collect(piecesOf(bytes, size));
      expect(collector.size).toBe(bytes.length);
      expect(Buffer.concat(collector.pieces()).equals(bytes)).toBe(true);
      expect(collector.head(300 * KIB).equals(bytes.subarray(0, 300 * KIB))).toBe(true);
    },
  );

  it('reserves nothing up to 64 KiB, and everything above', () => {
    const small = collect(piecesOf(Buffer.alloc(64 * KIB), 1_000));
    expect(small.budget.usedBytes).toBe(0);
    const { collector, budget } = collect([...piecesOf(Buffer.alloc(64 * KIB), 1_000), Buffer.alloc(1)]);
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

  it.each([1_000, 64 * KIB, 300 * KIB])('has the end of a response in pieces of %i bytes', (size) => {
    const bytes = Buffer.from(Array.from({ length: 833 * KIB }, (_, at) => at % 251));
    const { collector } = collect(piecesOf(bytes, size));
    expect(collector.end().equals(bytes.subarray(-64 * KIB))).toBe(true);
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

  it('keeps the beginning of a response, and only its memory', () => {
    const bytes = Buffer.from(Array.from({ length: 900 * KIB }, (_, at) => at % 251));
    const { collector, budget } = collect(piecesOf(bytes, 1_000));
    const head = collector.truncate(100 * KIB);
    expect(head.equals(bytes.subarray(0, 100 * KIB))).toBe(true);
    expect(head.buffer.byteLength).toBe(100 * KIB);
    expect(budget.usedBytes).toBe(100 * KIB);
    expect(collector.size).toBe(900 * KIB);
    const small = collect([Buffer.alloc(KIB)]);
    small.collector.truncate(MIB);
    expect(small.budget.usedBytes).toBe(0);
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
