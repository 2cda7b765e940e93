import { describe, expect, it } from 'vitest';
import { formatUsdPerMtok, formatUsdPerToken, planPrice } from './plan-price.ts';

const listPrice = { pricePpm: 1_000_000, isPrepaid: true };

describe('the price of a plan', () => {
  it.each([
    [1_200_000, '3.60', '0.0000036'],
    [500_000, '1.50', '0.0000015'],
    // As floats or in whole nano-dollars, the last digits would be lost.
    [1_000_001, '3.000003', '0.000003000003'],
    [0, '0.00', '0'],
  ])('is the model price times %i parts per million', (pricePpm, perMtok, perToken) => {
    const price = planPrice(3_000_000_000n, { ...listPrice, pricePpm });
    expect(formatUsdPerMtok(price)).toBe(perMtok);
    expect(formatUsdPerToken(price)).toBe(perToken);
  });

  it('has no remainder, even of the smallest price and multiplier', () => {
    const price = planPrice(1n, { ...listPrice, pricePpm: 1 });
    expect(formatUsdPerMtok(price)).toBe('0.000000000000001');
    expect(formatUsdPerToken(price)).toBe('0.000000000000000000001');
  });

  it('is zero if the plan records costs and charges nothing', () => {
    expect(planPrice(3_000_000_000n, { pricePpm: 1_000_000, isPrepaid: false })).toBe(0n);
  });

  it.each([
    [0n, '0'],
    [1n, '0.000000000000001'],
    [3_000_000_000n, '0.000003'],
    [3_625_000n, '0.000000003625'],
    [2_500_000_000_000_000n, '2.5'],
    [7_000_000_000_000_000n, '7'],
  ])('writes %d nano-dollars per million tokens as %s dollars per token', (price, text) => {
    expect(formatUsdPerToken(planPrice(price, listPrice))).toBe(text);
  });
});
