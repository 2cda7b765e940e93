import { expect, it } from 'vitest';
import { describePrice } from './describe-price.ts';

it.each([
  [1_000_000, "The model's price"],
  [1_200_000, "120% of the model's price"],
  [955_000, "95.5% of the model's price"],
  [1, "0.0001% of the model's price"],
  [100_000_000, "10000% of the model's price"],
  [0, 'Free'],
])('says what %i millionths of a price are', (ppm, text) => {
  expect(describePrice(ppm)).toBe(text);
});
