import { expect, it } from 'vitest';
import { findBannedWords, findLongSentences } from './check-words.mjs';

it('finds a banned word with its line, in any case', () => {
  const patterns = [{ pattern: String.raw`\bwhoever\b` }];
  expect(findBannedWords('// fine\n// Whoever asks\nconst whoeverAsks = 1;', patterns)).toEqual([
    { pattern: patterns[0].pattern, line: 2, text: '// Whoever asks' },
  ]);
});

it('distinguishes upper and lower case if the pattern says that', () => {
  const patterns = [{ pattern: String.raw`\bconst [a-z]\w*Of\b`, case: true }];
  expect(findBannedWords('const proof = 1;\nconst costOf = 1;', patterns)).toEqual([
    { pattern: patterns[0].pattern, line: 2, text: 'const costOf = 1;' },
  ]);
});

const words = (count) => Array.from({ length: count }, () => 'word').join(' ');

it.each([
  ['a string', `const text = '${words(21)}.';`],
  ['a template', `const text = \`${words(20)} \${value}.\`;`],
  ['JSX with an element inside', `const page = <p>${words(12)} <b>bold</b> ${words(8)}.</p>;`],
])('finds a sentence of more than 20 words in %s', (_name, source) => {
  expect(findLongSentences('page.tsx', source)).toMatchObject([{ line: 1 }]);
});

it('accepts two sentences of 20 words, class names and code', () => {
  const source = `const page = <p className="${words(30)}">${words(20)}. ${words(20)}.</p>;`;
  expect(findLongSentences('page.tsx', source)).toEqual([]);
});
