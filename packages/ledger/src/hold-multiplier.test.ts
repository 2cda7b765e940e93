import { withMultiplier } from '@tollgate/core/money/rates/compute-cost';
import { expect, it } from 'vitest';
import { computeWorstCase, holdAmounts, type RequestBounds } from './hold-amounts.ts';

const prices = {
  inputNanoUsdPerMtok: 3_000_000_000n,
  outputNanoUsdPerMtok: 15_000_000_000n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
  longInput: null,
};
const FREE = { ...prices, inputNanoUsdPerMtok: 0n, outputNanoUsdPerMtok: 0n };

const plain: RequestBounds = {
  prices,
  pricePpm: 1_000_000,
  inputTokens: 1_000,
  writesCache: false,
  maxOutputTokens: 1_000,
  choices: 1,
  isMaxNamed: true,
};
const further = { prices, inputTokens: 100, outputTokens: 10, calls: 3, toolCallsNanoUsd: 0n };

it.each<[string, Partial<RequestBounds>]>([
  ['tokens', { prices }],
  ['calls of tools', { toolCallsNanoUsd: 10_000_000n }],
  ['further models', { further: [further] }],
  [
    'calls of tools of further models',
    { further: [{ ...further, prices: FREE, toolCallsNanoUsd: 7_000_000n }] },
  ],
  ['a compaction', { prices, compaction: { inputTokens: 1_000, outputTokens: 1_000 } }],
])("holds %s at the plan's multiplier", (_, bounds) => {
  // Nothing else costs anything, unless it has a price itself.
  const request = { ...plain, prices: FREE, ...bounds };
  const standard = holdAmounts(request);
  expect(standard.wantNanoUsd).toBeGreaterThan(0n);
  const multiplied = holdAmounts({ ...request, pricePpm: 2_500_000 });
  expect(multiplied.wantNanoUsd).toBe(withMultiplier(standard.wantNanoUsd, 2_500_000));
  expect(computeWorstCase({ ...request, pricePpm: 0 }, 1_000)).toBe(0n);
});
