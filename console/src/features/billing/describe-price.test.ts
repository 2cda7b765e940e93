import { expect, it } from 'vitest';
import { describePrice } from './describe-price.ts';

it.each([
  [1_000_000, 'List prices'],
  [1_200_000, '120% of list prices'],
  [955_000, '95.5% of list prices'],
  [1, '0.0001% of list prices'],
  [100_000_000, '10000% of list prices'],
  [0, 'Free'],
])('says what %i millionths of a price are', (ppm, text) => {
  expect(describePrice(ppm)).toBe(text);
});
