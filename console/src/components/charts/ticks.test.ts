import { expect, it } from 'vitest';
import { formatCountTick, formatMsTick, formatUsdTick } from './ticks.ts';

it('writes dollars with the decimals that the step needs', () => {
  expect([0, 2, 4].map((tick) => formatUsdTick(tick, 2))).toEqual(['$0', '$2', '$4']);
  expect([0, 0.5, 1].map((tick) => formatUsdTick(tick, 0.5))).toEqual(['$0', '$0.50', '$1.00']);
  expect([0, 0.000_02].map((tick) => formatUsdTick(tick, 0.000_02))).toEqual(['$0', '$0.00002']);
  expect(formatUsdTick(12_000, 2_000)).toBe('$12,000');
});

it('shortens counts, and marks no parts of one', () => {
  expect([0, 500, 1_500, 2_000_000].map(formatCountTick)).toEqual(['0', '500', '1.5k', '2M']);
  expect(formatCountTick(0.5)).toBe('');
});

it('writes times in the unit that fits', () => {
  expect([0, 500, 1_500, 90_000].map(formatMsTick)).toEqual(['0', '500 ms', '1.5 s', '90 s']);
});
