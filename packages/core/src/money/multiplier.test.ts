import { expect, it } from 'vitest';
import { formatMultiplier, parseMultiplier } from './multiplier.ts';

it.each([
  ['1', 1_000_000],
  ['1.2', 1_200_000],
  ['0', 0],
  ['0.000001', 1],
  // As floats, these would be 1_090_000.0000000001 and 69_999_999.99….
  ['1.09', 1_090_000],
  ['69.999999', 69_999_999],
  ['100', 100_000_000],
])('reads %s as %i parts per million, and writes it back', (text, ppm) => {
  expect(parseMultiplier(text)).toBe(ppm);
  expect(formatMultiplier(ppm)).toBe(text);
});

it.each(['', '.5', '1.', '-1', '1e2', '1,2', '100.000001', '1000', '1.2345678'])('rejects %j', (text) => {
  expect(parseMultiplier(text)).toBeNull();
});
