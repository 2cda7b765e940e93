import { expect, it } from 'vitest';
import { isPrintable, isStorable, toPrintable } from './printable.ts';

it.each(['a\nb', '\u0000', '\u202Eabc', '\u200B', 'a\u2028b', '\u009F'])('%j is not printable', (text) => {
  expect(isPrintable(text)).toBe(false);
  expect(isPrintable(toPrintable(text))).toBe(true);
});

it.each(['ä b', '中文', '😀', 'שלום'])('%j is printable', (text) => {
  expect(isPrintable(text)).toBe(true);
  expect(toPrintable(text)).toBe(text);
});

it.each([['\0'], { a: [{ b: 'x\0' }] }, { '\0': 1 }, 'a\uD800'])('%j cannot be stored', (value) => {
  expect(isStorable(value)).toBe(false);
});

it.each([undefined, null, 1, 'a\n😀', { a: ['b', null, { c: '' }] }])('%j can be stored', (value) => {
  expect(isStorable(value)).toBe(true);
});
