import fc from 'fast-check';
import { expect, it } from 'vitest';
import { affordableOutputTokens, computeWorstCase, holdAmounts } from './hold-amounts.ts';

const classes = {
  inputNanoUsdPerMtok: 3_000_000_000n,
  outputNanoUsdPerMtok: 15_000_000_000n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};
const bounds = fc.record({
  prices: fc.constant({ ...classes, longInput: null }),
  pricePpm: fc.constant(1_000_000),
  inputTokens: fc.nat(500_000),
  writesCache: fc.boolean(),
  maxOutputTokens: fc.integer({ min: 1, max: 200_000 }),
  choices: fc.integer({ min: 1, max: 8 }),
  isMaxNamed: fc.boolean(),
});

it('holds the output of each choice that the maximum does not limit, in addition to it', () => {
  fc.assert(
    fc.property(bounds, fc.nat(100_000), fc.nat(1_000), (request, outputBesideMaximum, share) => {
      const all = { ...request, outputBesideMaximum };
      const getCost = (tokens: number) =>
        computeWorstCase(request, (tokens + outputBesideMaximum) * request.choices);
      const { wantNanoUsd, minNanoUsd } = holdAmounts(all);
      expect(wantNanoUsd).toBe(getCost(request.maxOutputTokens));
      const amount = minNanoUsd + ((wantNanoUsd - minNanoUsd) * BigInt(share)) / 1_000n;
      expect(getCost(affordableOutputTokens(all, amount))).toBeLessThanOrEqual(amount);
    }),
  );
});
