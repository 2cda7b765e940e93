import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Seam, type SeamRules } from './seam.ts';

const INSTRUCTED: SeamRules = { mayRepeat: true, trimmed: '' };
const RECEIVED = 'The quick brown fox jumps over the lazy dog and';

/** Joins a continuation that comes in pieces of a few characters. */
function join(received: string, continuation: string, rules = INSTRUCTED, size = 3): string {
  const seam = new Seam(received, rules);
  let joined = received;
  for (let at = 0; at < continuation.length; at += size)
    joined += seam.push(continuation.slice(at, at + size));
  joined += seam.decide();
  return seam.isBroken ? 'broken' : joined;
}

describe('Seam', () => {
  it.each([
    ['goes on', ' runs away.'],
    ['repeats the last words', 'over the lazy dog and runs away.'],
    ['repeats the last words after a space', ' over the lazy dog and runs away.'],
    ['starts again', `${RECEIVED} runs away.`],
    ['starts again after a line', `\n${RECEIVED} runs away.`],
  ])('joins a continuation that %s', (_, continuation) => {
    for (const size of [1, 2, 3, 7, 100])
      expect(join(RECEIVED, continuation, INSTRUCTED, size)).toBe(`${RECEIVED} runs away.`);
  });

  it('joins in the middle of a word', () => {
    expect(join('The quick brown fox jum', 'brown fox jumps over')).toBe('The quick brown fox jumps over');
  });

  it('keeps a short repetition, which may be chance', () => {
    expect(join('one two one two', ' two three')).toBe('one two one two two three');
  });

  it('does not join a text that starts again with other words', () => {
    expect(join(RECEIVED, 'The quick brown fox jumps over a stone.')).toBe('broken');
  });

  it('writes the space at the seam once', () => {
    const trimmed: SeamRules = { mayRepeat: false, trimmed: '\n\n' };
    expect(join('One.\n\n', '\n\nTwo.', trimmed)).toBe('One.\n\nTwo.');
    expect(join('One.\n\n', 'Two.', trimmed)).toBe('One.\n\nTwo.');
    expect(join('One, two, three. ', 'two, three. Four.', { mayRepeat: true, trimmed: ' ' })).toBe(
      'One, two, three. Four.',
    );
  });

  it('leaves a continuation as it is if the provider does not repeat', () => {
    expect(join('la la la la la la', ' la la la la la la', { mayRepeat: false, trimmed: '' })).toBe(
      'la la la la la la la la la la la la',
    );
  });

  it('gives the complete text, wherever it was cut and however much is repeated', () => {
    // No two parts of it are equal.
    const words = fc
      .array(fc.nat(), { minLength: 4, maxLength: 40 })
      .map((all) => all.map((number, at) => `${at}:${number}`).join(' '));
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(words, place, place, fc.integer({ min: 1, max: 40 }), (text, cut, repeat, size) => {
        const received = text.slice(0, 8 + Math.floor(cut * (text.length - 8)));
        // The space before a repetition does not count.
        const longest = Math.max(0, received.length - 13);
        const from = Math.floor(repeat * longest);
        expect(join(received, text.slice(from), INSTRUCTED, size)).toBe(text);
        expect(join(received, text.slice(received.length), INSTRUCTED, size)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('counts what is withheld', () => {
    const seam = new Seam(RECEIVED, INSTRUCTED);
    for (const piece of ['over', ' the', ' lazy', ' dog', ' and']) seam.push(piece);
    expect(seam.withheldTokens).toBe(5);
    expect(seam.push(' runs')).toBe(' runs');
    expect(seam.withheldTokens).toBe(5);
  });

  it('takes little time for a long repetition in small pieces', () => {
    const received = Array.from({ length: 12_000 }, (_, at) => `word${at}`).join(' ');
    const before = process.cpuUsage();
    expect(join(received, `${received} and more`, INSTRUCTED, 1)).toBe(`${received} and more`);
    // If each piece were compared with all that is held, it would take half a minute.
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  });
});
