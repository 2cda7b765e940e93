import type { LongInputPrices, TokenUsage } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  affordableAfterTurns,
  affordableOutputTokens,
  holdAmounts,
  MIN_OUTPUT_TOKENS,
  computeWorstCase,
  type RequestBounds,
} from './hold-amounts.ts';

const price = fc.bigInt({ min: 0n, max: 100_000_000_000n });
const maybePrice = fc.option(price);
const classes = {
  inputNanoUsdPerMtok: price,
  outputNanoUsdPerMtok: price,
  cacheReadNanoUsdPerMtok: maybePrice,
  cacheWriteNanoUsdPerMtok: maybePrice,
  cacheWrite1hNanoUsdPerMtok: maybePrice,
};
const longInput: fc.Arbitrary<LongInputPrices> = fc.record({
  ...classes,
  aboveInputTokens: fc.integer({ min: 1, max: 300_000 }),
});
const prices = fc.record({
  ...classes,
  longInput: fc.option(longInput),
});
const bounds: fc.Arbitrary<RequestBounds> = fc.record({
  prices,
  pricePpm: fc.oneof(fc.constant(1_000_000), fc.nat(100_000_000)),
  inputTokens: fc.nat(500_000),
  writesCache: fc.boolean(),
  maxOutputTokens: fc.integer({ min: 1, max: 200_000 }),
  choices: fc.integer({ min: 1, max: 8 }),
  isMaxNamed: fc.boolean(),
});

/** Fractions, in per mille. */
const shares = fc.array(fc.nat(1_000), { minLength: 5, maxLength: 5 });

/** Actual usage of a request within its bounds. */
function usageWithin(
  { inputTokens, maxOutputTokens, choices, writesCache }: RequestBounds,
  parts: number[],
): TokenUsage {
  const [total = 0, read = 0, write = 0, write1h = 0, output = 0] = parts;
  let left = Math.floor((inputTokens * total) / 1_000);
  const take = (share: number) => {
    const taken = Math.floor((left * share) / 1_000);
    left -= taken;
    return taken;
  };
  const cached = {
    cacheReadTokens: take(read),
    cacheWriteTokens: writesCache ? take(write) : 0,
    cacheWrite1hTokens: writesCache ? take(write1h) : 0,
  };
  const outputTokens = Math.floor((maxOutputTokens * choices * output) / 1_000);
  return { ...cached, inputTokens: left, outputTokens };
}

describe('the worst case', () => {
  it('is never less than the cost of a request within its bounds, for any caching and length', () => {
    fc.assert(
      fc.property(bounds, shares, (request, parts) => {
        const cost = computeCost(usageWithin(request, parts), request.prices, request.pricePpm);
        expect(cost).toBeLessThanOrEqual(
          computeWorstCase(request, request.maxOutputTokens * request.choices),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('equals the cost of a request that uses all bounds, if no class costs more than standard input', () => {
    const plain = {
      cacheReadNanoUsdPerMtok: 1n,
      cacheWriteNanoUsdPerMtok: null,
      cacheWrite1hNanoUsdPerMtok: null,
    };
    const known = { inputNanoUsdPerMtok: 3_000_000_000n, outputNanoUsdPerMtok: 15_000_000_000n, ...plain };
    const request = { ...NAMED, prices: known, inputTokens: 1_000, maxOutputTokens: 100 };
    expect(computeWorstCase(request, 100)).toBe(4_500_000n);
  });

  it('includes calls of additional models at their prices, and server tools once', () => {
    const own = { inputNanoUsdPerMtok: 1_000_000n, outputNanoUsdPerMtok: 0n, ...NO_CACHE };
    const other = { inputNanoUsdPerMtok: 2_000_000n, outputNanoUsdPerMtok: 10_000_000n, ...NO_CACHE };
    const further = [
      { prices: other, inputTokens: 100, outputTokens: 30, calls: 7, toolCallsNanoUsd: 1_000n },
      { prices: own, inputTokens: 50, outputTokens: 9, calls: 1, toolCallsNanoUsd: 0n },
    ];
    const request = { ...NAMED, prices: own, inputTokens: 10, further, pricePpm: 2_000_000 };
    expect(computeWorstCase(request, 50)).toBe(2n * (10n + 7n * 500n + 1_000n + 50n));
  });

  it('has the price of long input only above its threshold', () => {
    const rates = { inputNanoUsdPerMtok: 1_000_000n, outputNanoUsdPerMtok: 0n, ...NO_CACHE };
    const longRates = { ...rates, inputNanoUsdPerMtok: 2_000_000n, aboveInputTokens: 1_000 };
    const request = { ...NAMED, prices: { ...rates, longInput: longRates } };
    expect(computeWorstCase({ ...request, inputTokens: 1_000 }, 50)).toBe(1_000n);
    expect(computeWorstCase({ ...request, inputTokens: 1_001 }, 50)).toBe(2_002n);
  });

  it('increases with output, input and the plan’s multiplier', () => {
    fc.assert(
      fc.property(bounds, fc.nat(200_000), fc.nat(1_000), (request, output, more) => {
        const worst = computeWorstCase(request, output);
        expect(computeWorstCase(request, output + more)).toBeGreaterThanOrEqual(worst);
        const longer = { ...request, inputTokens: request.inputTokens + more };
        expect(computeWorstCase(longer, output)).toBeGreaterThanOrEqual(worst);
        const dearer = { ...request, pricePpm: request.pricePpm + more };
        expect(computeWorstCase(dearer, output)).toBeGreaterThanOrEqual(worst);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the hold amount', () => {
  it('is all or nothing if the request sets a maximum', () => {
    fc.assert(
      fc.property(bounds, (request) => {
        const amounts = holdAmounts({ ...request, isMaxNamed: true });
        const worst = computeWorstCase(request, request.maxOutputTokens * request.choices);
        const all = { wantNanoUsd: worst, softNanoUsd: worst, minNanoUsd: worst };
        expect(amounts).toEqual({ ...all, keyMinNanoUsd: worst });
      }),
    );
  });

  it('covers at least a part of a long maximum that the funds do not allow, and all of a short one', () => {
    fc.assert(
      fc.property(bounds, fc.integer({ min: 1, max: 300_000 }), (request, leastNamedTokens) => {
        const named = { ...request, isMaxNamed: true, leastNamedTokens };
        const { wantNanoUsd, softNanoUsd, minNanoUsd } = holdAmounts(named);
        const least = Math.min(leastNamedTokens, request.maxOutputTokens);
        expect(minNanoUsd).toBe(computeWorstCase(request, least * request.choices));
        expect(softNanoUsd).toBe(wantNanoUsd);
        expect(affordableOutputTokens(named, wantNanoUsd)).toBe(request.maxOutputTokens);
      }),
    );
  });

  it('covers at least a short response otherwise, and at most the worst case', () => {
    fc.assert(
      fc.property(bounds, (request) => {
        const { wantNanoUsd, softNanoUsd, minNanoUsd } = holdAmounts({ ...request, isMaxNamed: false });
        expect(minNanoUsd).toBeLessThanOrEqual(softNanoUsd);
        expect(softNanoUsd).toBeLessThanOrEqual(wantNanoUsd);
        const shortest = Math.min(MIN_OUTPUT_TOKENS, request.maxOutputTokens);
        expect(affordableOutputTokens(request, minNanoUsd)).toBeGreaterThanOrEqual(shortest);
      }),
    );
  });
});

describe('the affordable output', () => {
  it('is the largest that fits for every choice', () => {
    fc.assert(
      fc.property(bounds, fc.nat(1_100), (request, share) => {
        const { wantNanoUsd } = holdAmounts(request);
        const amount = (wantNanoUsd * BigInt(share)) / 1_000n;
        const tokens = affordableOutputTokens(request, amount);
        expect(tokens).toBeLessThanOrEqual(request.maxOutputTokens);
        if (tokens > 0)
          expect(computeWorstCase(request, tokens * request.choices)).toBeLessThanOrEqual(amount);
        if (tokens < request.maxOutputTokens)
          expect(computeWorstCase(request, (tokens + 1) * request.choices)).toBeGreaterThan(amount);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is 0 if the input alone costs more', () => {
    const free = { inputNanoUsdPerMtok: 1_000_000_000n, outputNanoUsdPerMtok: 0n, ...NO_CACHE };
    expect(affordableOutputTokens({ ...NAMED, prices: free, inputTokens: 1_000 }, 999_999n)).toBe(0);
    expect(affordableOutputTokens({ ...NAMED, prices: free, inputTokens: 1_000 }, 1_000_000n)).toBe(50);
  });
});

const NO_CACHE = {
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};
const NAMED = { pricePpm: 1_000_000, writesCache: false, maxOutputTokens: 50, choices: 1, isMaxNamed: true };

it('holds a compaction, which a balance need not cover and a budget must', () => {
  fc.assert(
    fc.property(bounds, fc.nat(500_000), fc.nat(200_000), (request, inputTokens, outputTokens) => {
      const { wantNanoUsd, keyMinNanoUsd, ...least } = holdAmounts(request);
      const compacted = holdAmounts({ ...request, compaction: { inputTokens, outputTokens } });
      expect(compacted).toMatchObject(least);
      const alone = computeWorstCase({ ...request, inputTokens }, outputTokens);
      expect(compacted.wantNanoUsd).toBe(wantNanoUsd + alone);
      expect(compacted.keyMinNanoUsd).toBe(keyMinNanoUsd + alone);
    }),
  );
});

describe('the hold of tools whose results have a known size', () => {
  const toolReads = fc.record({
    calls: fc.integer({ min: 1, max: 20 }),
    resultTokens: fc.nat(20_000),
    isRereadCached: fc.boolean(),
  });

  it('covers every turn, at the price of cached input if the provider caches earlier turns', () => {
    fc.assert(
      fc.property(bounds, toolReads, (request, reads) => {
        const { calls, resultTokens, isRereadCached } = reads;
        const turns = Array.from(
          { length: calls + 1 },
          (_, turn) => request.inputTokens + turn * resultTokens,
        );
        const total = turns.reduce((sum, tokens) => sum + tokens, 0);
        const fresh = request.inputTokens + calls * resultTokens;
        const usage = {
          inputTokens: isRereadCached ? fresh : total,
          cacheReadTokens: isRereadCached ? total - fresh : 0,
          cacheWriteTokens: 0,
          cacheWrite1hTokens: 0,
          outputTokens: request.maxOutputTokens * request.choices,
        };
        const { wantNanoUsd } = holdAmounts({ ...request, toolReads: reads });
        expect(wantNanoUsd).toBeGreaterThanOrEqual(computeCost(usage, request.prices, request.pricePpm));
      }),
    );
  });

  it('has each result once as new input, and what came before it again', () => {
    const rates = { inputNanoUsdPerMtok: 10_000_000n, outputNanoUsdPerMtok: 0n, ...NO_CACHE };
    const prices = { ...rates, cacheReadNanoUsdPerMtok: 1_000_000n };
    const reads = { calls: 3, resultTokens: 100 };
    const hold = (isRereadCached: boolean) =>
      holdAmounts({ ...NAMED, prices, inputTokens: 600, toolReads: { ...reads, isRereadCached } });
    // The four turns read 600, 700, 800 and 900 tokens.
    expect(hold(false).wantNanoUsd).toBe(3_000n * 10n);
    expect(hold(true).wantNanoUsd).toBe(900n * 10n + 2_100n * 1n);
  });

  it('has at most the threshold of long input at short prices, if those are higher', () => {
    const rates = { inputNanoUsdPerMtok: 10_000_000n, outputNanoUsdPerMtok: 0n, ...NO_CACHE };
    const prices = {
      ...rates,
      cacheReadNanoUsdPerMtok: 5_000_000n,
      longInput: { ...rates, inputNanoUsdPerMtok: 1_000_000n, aboveInputTokens: 1_000 },
    };
    const reads = { calls: 1, resultTokens: 0, isRereadCached: true };
    const { wantNanoUsd } = holdAmounts({ ...NAMED, prices, inputTokens: 600, toolReads: reads });
    // Of 600 tokens that are read twice, 1,000 fit below the threshold: 600 new ones and 400 cached ones.
    expect(wantNanoUsd).toBe(600n * 10n + 400n * 5n);
  });

  it('covers the result of one call if the balance is too low for more', () => {
    fc.assert(
      fc.property(bounds, toolReads, (request, reads) => {
        const { minNanoUsd, wantNanoUsd, keyMinNanoUsd } = holdAmounts({ ...request, toolReads: reads });
        const once = { ...request, inputTokens: request.inputTokens + reads.resultTokens };
        expect(minNanoUsd).toBe(holdAmounts(once).minNanoUsd);
        expect(keyMinNanoUsd).toBeGreaterThanOrEqual(minNanoUsd);
        expect(wantNanoUsd).toBeGreaterThanOrEqual(keyMinNanoUsd);
      }),
    );
  });
});

it('holds the input of further turns, which a balance need not cover and a budget must', () => {
  fc.assert(
    fc.property(bounds, fc.integer({ min: 2, max: 50 }), (once, turns) => {
      const { wantNanoUsd, keyMinNanoUsd, ...least } = holdAmounts(once);
      const repeated = holdAmounts({ ...once, turns });
      expect(repeated).toMatchObject(least);
      const all = holdAmounts({ ...once, inputTokens: once.inputTokens * turns });
      expect(repeated.wantNanoUsd).toBe(all.wantNanoUsd);
      expect(repeated.keyMinNanoUsd).toBe(all.minNanoUsd);
      expect(repeated.wantNanoUsd).toBeGreaterThanOrEqual(wantNanoUsd);
      expect(repeated.keyMinNanoUsd).toBeGreaterThanOrEqual(keyMinNanoUsd);
    }),
  );
});

it('leaves a budget the output that fits after all turns', () => {
  fc.assert(
    fc.property(bounds, fc.integer({ min: 1, max: 50 }), fc.nat(1_000), (once, turns, share) => {
      const request = { ...once, turns };
      const { wantNanoUsd, keyMinNanoUsd } = holdAmounts(request);
      const amount = keyMinNanoUsd + ((wantNanoUsd - keyMinNanoUsd) * BigInt(share)) / 1_000n;
      const tokens = affordableAfterTurns(request, amount);
      const all = { ...once, inputTokens: once.inputTokens * turns };
      expect(computeWorstCase(all, tokens * request.choices)).toBeLessThanOrEqual(amount);
      expect(affordableAfterTurns(request, wantNanoUsd)).toBe(request.maxOutputTokens);
    }),
  );
});
