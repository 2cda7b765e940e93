import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findStop, StopScanner } from './stop-scanner.ts';

it('finds the sequence that is complete first', () => {
  expect(findStop('say END now', ['now', 'END'])).toEqual({ text: 'say ', sequence: 'END' });
  expect(findStop('abcd', ['abcd', 'bc'])).toEqual({ text: 'a', sequence: 'bc' });
  expect(findStop('nothing', ['END'])).toEqual({ text: 'nothing', sequence: null });
});

it('sends no text that may begin a sequence, and the rest at the end', () => {
  const scanner = new StopScanner(['END']);
  expect(scanner.push('the E')).toEqual({ text: 'the ', sequence: null });
  expect(scanner.push('N')).toEqual({ text: '', sequence: null });
  expect(scanner.push('EEN')).toEqual({ text: 'ENE', sequence: null });
  expect(scanner.flush()).toBe('EN');
  expect(scanner.flush()).toBe('');
});

it('finds the same in a whole text and in its pieces', () => {
  const word = (maxLength: number) => fc.stringMatching(new RegExp(`^[ab]{1,${maxLength}}$`));
  fc.assert(
    fc.property(fc.array(word(4), { minLength: 1, maxLength: 3 }), fc.array(word(5)), (sequences, pieces) => {
      const scanner = new StopScanner(sequences);
      let sent = '';
      let found: string | null = null;
      for (const piece of pieces) {
        const { text, sequence } = scanner.push(piece);
        sent += text;
        found = sequence;
        if (found !== null) break;
      }
      if (found === null) sent += scanner.flush();
      expect({ text: sent, sequence: found }).toEqual(findStop(pieces.join(''), sequences));
    }),
    { numRuns: 1_000 },
  );
});
