import { expect, it } from 'vitest';
import { paymentAmountSchema, presetsWithin } from './top-up-form.ts';

const RANGE = { minNanoUsd: 5_000_000_000n, maxNanoUsd: 1_000_000_000_000n };

it.each([
  ['20', '20.00'],
  ['$1,000', '1000.00'],
  ['5', '5.00'],
  ['12.5', '12.50'],
])('takes %s as %s dollars', (text, usd) => {
  expect(paymentAmountSchema(RANGE).parse(text)).toBe(usd);
});

it.each([
  ['', 'Enter an amount in dollars, like 20 or 12.50'],
  ['twenty', 'Enter an amount in dollars, like 20 or 12.50'],
  ['12.345', 'Use at most two decimals'],
  ['4.99', 'Minimum $5'],
  ['1000.01', 'Maximum $1,000 per payment'],
])('refuses %j and says why', (text, message) => {
  expect(paymentAmountSchema(RANGE).safeParse(text).error?.issues).toMatchObject([{ message }]);
});

it('offers round amounts that the installation takes', () => {
  expect(presetsWithin(RANGE)).toEqual(['5', '10', '20', '50', '100']);
  expect(presetsWithin({ minNanoUsd: 30_000_000_000n, maxNanoUsd: 120_000_000_000n })).toEqual(['50', '100']);
  expect(presetsWithin({ minNanoUsd: 1n, maxNanoUsd: 2n })).toEqual([]);
});
