import { expect, it } from 'vitest';
import { computeMargin, formatMargin } from './compute-margin.ts';

it.each([
  ['3000000000', '2000000000', '1000000000', '33.3%'],
  ['1000', '1500', '-500', '−50.0%'],
  ['1', '900000000000000000', '-899999999999999999', '−90000000000000000000%'],
])('is revenue %s minus cost %s', (revenueNanoUsd, providerCostNanoUsd, nanoUsd, text) => {
  const margin = computeMargin({ revenueNanoUsd, providerCostNanoUsd });
  expect(margin.nanoUsd).toBe(nanoUsd);
  expect(margin.percent === null ? null : formatMargin(margin.percent)).toBe(text);
});

it('has no percentage without revenue', () => {
  expect(computeMargin({ revenueNanoUsd: '0', providerCostNanoUsd: '5' })).toEqual({
    nanoUsd: '-5',
    percent: null,
  });
});
