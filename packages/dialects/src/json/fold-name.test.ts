import { expect, it } from 'vitest';
import { foldName, foldNameLoosely } from './fold-name.ts';

const LAST_CODE_POINT = 0x10ffff;
const countPoints = (text: string) => Array.from(text).length;

/** By the rule for one code point: upper case, then lower case, each only if it is one code point. */
function foldPoint(point: string): string {
  if (point === 'İ') return 'i';
  const upper = point.toUpperCase();
  const single = countPoints(upper) === 1 ? upper : point;
  const lower = single.toLowerCase();
  return countPoints(lower) === 1 ? lower : single;
}

it('folds every code point, alone and next to others', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= LAST_CODE_POINT; code += 1) {
    const point = String.fromCodePoint(code);
    const folded = foldPoint(point);
    if (foldName(point) !== folded) wrong.push(code.toString(16));
    if (folded !== point && foldName(`Σ${point}A𐐀`) !== `σ${folded}a𐐨`)
      wrong.push(`next to ${code.toString(16)}`);
  }
  expect(wrong).toEqual([]);
});

it.each([
  ['MAX_Tokens', 'max_tokens'],
  ['ſtream', 'stream'],
  ['max_to\u212Aens', 'max_tokens'],
  ['STRAßE', 'straße'],
  ['É'.repeat(1_000), 'é'.repeat(1_000)],
  ['\ud800A\udc00', '\ud800a\udc00'],
  ['\u0000É', '\u0000é'],
])('folds %j', (name, folded) => {
  expect(foldName(name)).toBe(folded);
});

it('leaves out underscores and dashes', () => {
  expect(foldNameLoosely('Max_-Tokens-')).toBe('maxtokens');
});
