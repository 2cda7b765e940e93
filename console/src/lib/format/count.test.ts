import { expect, it } from 'vitest';
import { formatCount, formatLimit, formatPlural } from './count.ts';

it.each([
  [1, '1'],
  [600, '600'],
  [1_000, '1k'],
  [1_500, '1.5k'],
  [1_234, '1,234'],
  [40_000, '40k'],
  [400_000, '400k'],
  [1_000_000, '1M'],
  [1_250_000, '1.25M'],
  [1_255_000, '1255k'],
  [1_000_000_000, '1B'],
])('shortens the limit %i to %s and loses nothing', (limit, text) => {
  expect(formatLimit(limit)).toBe(text);
});

it('groups thousands and bends the noun', () => {
  expect(formatCount(41_208)).toBe('41,208');
  expect(formatPlural(1, 'request')).toBe('1 request');
  expect(formatPlural(0, 'request')).toBe('0 requests');
});
