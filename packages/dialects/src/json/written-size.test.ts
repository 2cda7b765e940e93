import { expect, it } from 'vitest';
import { writtenSize } from './written-size.ts';

/** Two bytes for each character if one of them needs two. */
function actualSize(value: unknown): number {
  const text = JSON.stringify(value);
  return /[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length;
}

it.each([
  ['control characters', { a: '\u0001'.repeat(1_000) }],
  ['control characters, wide', { a: `中${'\u0001'.repeat(1_000)}` }],
  ['quotes and backslashes', ['"\\'.repeat(1_000)]],
  ['halves of characters', ['\ud800'.repeat(1_000), '\udc00'.repeat(1_000)]],
  ['whole characters of two units', ['😀'.repeat(1_000)]],
  ['names', { ['"'.repeat(1_000)]: { 中: [] } }],
  ['numbers', Array.from({ length: 1_000 }, (_, at) => -1.234567890123456e-300 * (at + 1))],
  ['true, false and null', Array.from({ length: 1_000 }, (_, at) => [true, false, null][at % 3])],
  ['an empty object in a list', [[{}], '']],
])('bounds what JSON.stringify writes: %s', (_name, value) => {
  const size = writtenSize(value);
  expect(size).toBeGreaterThanOrEqual(actualSize(value));
  expect(size).toBeLessThan(6 * actualSize(value) + 100);
  expect(writtenSize(value, Infinity)).toBeGreaterThanOrEqual(size);
});

it.each([
  ['words', 'word '.repeat(1_000)],
  ['control characters', '\u0001'.repeat(1_000)],
  ['emoji', '😀'.repeat(1_000)],
])('is exact for long texts: %s', (_name, text) => {
  expect(writtenSize(text) - actualSize(text)).toBeLessThan(10);
});
