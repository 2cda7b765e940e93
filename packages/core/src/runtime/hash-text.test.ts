import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashLines, hashText } from './hash-text.ts';

// https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js
it.each([
  ['a', 7_929_297_801_672_961],
  ['b', 8_684_336_938_537_663],
  ['revenge', 4_051_478_007_546_757],
])('has the value of cyrb53 for %j', (text, hash) => {
  expect(hashText(text)).toBe(hash);
});

it('is the same for two lines as for their text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (first, second) => {
      expect(hashLines(first, second)).toBe(hashText(`${first}\n${second}`));
    }),
  );
});
