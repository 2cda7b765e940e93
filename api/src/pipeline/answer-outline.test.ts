import { Buffer } from 'node:buffer';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import { BodyBudget } from '../request-body/body-budget.ts';
import { AnswerOutline } from './answer-outline.ts';

const MIB = 1024 * 1024;
const WORD = 'hello ';
const USAGE = { prompt_tokens: 20, completion_tokens: 8_000, total_tokens: 8_020 };

/** A chat completion: its text, then something that is not text, then its usage. */
function completion(tokens: number, more: object): Buffer {
  const message = { role: 'assistant', content: WORD.repeat(tokens), ...more };
  return Buffer.from(JSON.stringify({ id: 'x', choices: [{ index: 0, message }], usage: USAGE }));
}

const withImage = (tokens: number, mib: number) =>
  completion(tokens, { images: [{ image_url: { url: 'iVBORw0K'.repeat(mib * (MIB / 8)) } }] });

function getOutline(pieces: readonly Buffer[], { hasOutput = true, budget = new BodyBudget(96 * MIB) } = {}) {
  const outline = new AnswerOutline({ openReservation: () => budget.open('a'), hasOutput });
  for (const piece of pieces) outline.add(piece);
  return { outline, budget };
}

const getPieces = (bytes: Buffer, size = 65_536) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );

describe('the outline of a large response', () => {
  it('measures the text that has come, and nothing for a file that follows', () => {
    const { outlined, begun } = { outlined: withImage(8_000, 8), begun: withImage(8_000, 1) };
    const tokens = getOutline([begun]).outline.measure().outputTokens;
    expect(tokens).toBeGreaterThan(8_000);
    const { outline, budget } = getOutline(getPieces(outlined.subarray(0, 7 * MIB)));
    expect(outline.measure()).toMatchObject({ outputTokens: tokens, report: null });
    expect(outline.isCut).toBe(false);
    expect(budget.usedBytes).toBe(0);
  });

  it('measures more after more has come', () => {
    const [first, ...rest] = getPieces(completion(300_000, {}), MIB);
    const { outline } = getOutline([first ?? Buffer.alloc(0)]);
    const before = outline.measure().outputTokens;
    for (const piece of rest) outline.add(piece);
    expect(before).toBeGreaterThan((0.9 * MIB) / 4);
    expect(outline.measure().outputTokens).toBeGreaterThan(1.5 * before);
  });

  it('counts every call of a hosted tool, wherever its results are', () => {
    const item = (at: number) => ({
      id: `ig_${at}`,
      type: 'image_generation_call',
      result: 'iVBORw0K'.repeat(MIB / 8),
    });
    const output = Array.from({ length: 6 }, (_, at) => item(at));
    const usage = { input_tokens: 10, output_tokens: 5_000 };
    const { outline } = getOutline(getPieces(Buffer.from(JSON.stringify({ id: 'r', output, usage }))));
    expect(outline.hasEnd).toBe(false);
    outline.finish();
    expect(outline.hasEnd).toBe(true);
    expect(outline.measure().report?.usage).toMatchObject({
      inputTokens: 10,
      outputTokens: 5_000,
      extras: { toolCalls: { image_generation: 6 } },
    });
  });

  it('reserves memory for its text, and stops without it; the usage at the end is still read', () => {
    const body = completion(400_000, {});
    const roomy = getOutline(getPieces(body));
    expect(roomy.budget.usedBytes).toBeGreaterThanOrEqual(body.length);
    expect(roomy.budget.usedBytes).toBeLessThan(2 * body.length);
    roomy.outline.release();
    expect(roomy.budget.usedBytes).toBe(0);

    const budget = new BodyBudget(MIB);
    const { outline } = getOutline(getPieces(body), { budget });
    expect(outline.isCut).toBe(true);
    expect(outline.measure().outputTokens).toBeLessThan(MIB / 4);
    outline.finish();
    expect(outline.measure().report?.usage.outputTokens).toBe(8_000);
    outline.release();
    expect(budget.usedBytes).toBe(0);
  });

  it.each([
    ['text', completion(2_000_000, {})],
    ['values', Buffer.from(`{"choices":[${'{},'.repeat(4 * MIB)}{}],"usage":${JSON.stringify(USAGE)}}`)],
  ])('keeps at most 4 MiB of %s', (_, body) => {
    const { outline, budget } = getOutline(getPieces(body));
    expect(outline.isCut).toBe(true);
    expect(budget.usedBytes).toBe(4 * MIB);
    outline.finish();
    expect(outline.measure().report?.usage.outputTokens).toBe(8_000);
    outline.release();
  });

  it('keeps 64 KiB of a response without output, which is all that is read of it', () => {
    const data = Array.from({ length: 400 }, () => ({
      embedding: Array.from({ length: 512 }, (_, at) => Math.sin(at)),
    }));
    const body = Buffer.from(JSON.stringify({ data, usage: { prompt_tokens: 1_234, total_tokens: 1_234 } }));
    const { outline, budget } = getOutline([], { hasOutput: false });
    // Some 5 ms if all of it were read.
    const ms = threadTimeMs(() => {
      for (const piece of getPieces(body)) outline.add(piece);
    });
    expect(ms).toBeLessThan(100);
    outline.finish();
    expect(outline.isCut).toBe(false);
    expect(budget.usedBytes).toBe(0);
    expect(outline.measure().report?.usage.inputTokens).toBe(1_234);
  });

  it('reads 64 KiB of a file in less than a turn of the event loop', () => {
    const pieces = getPieces(withImage(10, 16));
    const { outline } = getOutline([]);
    // About 2 ns for each byte on an idle machine.
    const ms = threadTimeMs(() => {
      for (const piece of pieces) outline.add(piece);
    });
    expect(ms / pieces.length).toBeLessThan(5);
  });
});
