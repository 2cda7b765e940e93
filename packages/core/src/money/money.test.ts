import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUsd, FULL_PRICE_PPM, NO_USAGE, parseUsd } from './money.ts';
import { computeCost } from './rates/compute-cost.ts';

describe('parseUsd', () => {
  it('parses whole and decimal dollars exactly', () => {
    expect(parseUsd('10')).toBe(10_000_000_000n);
    expect(parseUsd(' 0.000000001 ')).toBe(1n);
    expect(parseUsd('61.20')).toBe(61_200_000_000n);
  });

  it.each(['', '-1', '1e3', '.5', '1.0000000001', '1,000', 'NaN', '0x10'])('rejects %j', (text) => {
    expect(parseUsd(text)).toBeNull();
  });
});

describe('formatUsd', () => {
  it.each([
    [0n, '0.00'],
    [1n, '0.000000001'],
    [132_000n, '0.000132'],
    [61_200_000_000n, '61.20'],
    [3_905_214_000n, '3.905214'],
    [-1_500_000_000n, '-1.50'],
  ])('writes %d nano-dollars as %s', (amount, text) => {
    expect(formatUsd(amount)).toBe(text);
  });
});

describe('computeCost', () => {
  const prices = {
    inputNanoUsdPerMtok: 3_000_000_000n,
    outputNanoUsdPerMtok: 15_000_000_000n,
    cacheReadNanoUsdPerMtok: 300_000_000n,
    cacheWriteNanoUsdPerMtok: null,
    cacheWrite1hNanoUsdPerMtok: null,
  };

  it('adds up token classes at their own prices', () => {
    const usage = {
      inputTokens: 218,
      cacheReadTokens: 1900,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: 356,
    };
    expect(formatUsd(computeCost(usage, prices))).toBe('0.006564');
  });

  it('rounds up once at the end', () => {
    const cheap = { ...prices, inputNanoUsdPerMtok: 1n, outputNanoUsdPerMtok: 1n };
    const usage = {
      inputTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: 1,
    };
    expect(computeCost(usage, cheap)).toBe(1n);
  });

  it('charges the input price for cache writes without their own price', () => {
    const usage = {
      inputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 1_000_000,
      cacheWrite1hTokens: 0,
      outputTokens: 0,
    };
    expect(computeCost(usage, prices)).toBe(3_000_000_000n);
  });

  describe('with higher prices for long input', () => {
    const tiered = {
      ...prices,
      longInput: {
        aboveInputTokens: 200_000,
        inputNanoUsdPerMtok: 6_000_000_000n,
        outputNanoUsdPerMtok: 22_500_000_000n,
        cacheReadNanoUsdPerMtok: 600_000_000n,
        cacheWriteNanoUsdPerMtok: null,
        cacheWrite1hNanoUsdPerMtok: null,
      },
    };
    const usage = {
      inputTokens: 100_000,
      cacheReadTokens: 60_000,
      cacheWriteTokens: 40_000,
      cacheWrite1hTokens: 0,
      outputTokens: 1,
    };

    it('charges standard prices up to the threshold, including cached input', () => {
      expect(computeCost(usage, tiered)).toBe(computeCost(usage, prices));
    });

    it.each(['inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cacheWrite1hTokens'] as const)(
      'charges all of it at the higher ones from one token more of %s on',
      (field) => {
        const longer = { ...usage, [field]: usage[field] + 1 };
        expect(computeCost(longer, tiered)).toBe(computeCost(longer, tiered.longInput));
      },
    );

    it('ignores output for the threshold', () => {
      const wordy = { ...usage, outputTokens: 1_000_000 };
      expect(computeCost(wordy, tiered)).toBe(computeCost(wordy, prices));
    });
  });

  it('charges the cache-write price for 1-hour writes without their own price', () => {
    const usage = { ...NO_USAGE, cacheWrite1hTokens: 1_000_000 };
    expect(computeCost(usage, prices)).toBe(3_000_000_000n);
    const dearer = { ...prices, cacheWriteNanoUsdPerMtok: 3_750_000_000n };
    expect(computeCost(usage, dearer)).toBe(3_750_000_000n);
    expect(computeCost(usage, { ...dearer, cacheWrite1hNanoUsdPerMtok: 6_000_000_000n })).toBe(
      6_000_000_000n,
    );
  });

  describe('for any usage and prices', () => {
    const count = fc.nat(0x7fffffff);
    const price = fc.bigInt({ min: 0n, max: 10n ** 15n });
    const classPrices = fc.record({
      inputNanoUsdPerMtok: price,
      outputNanoUsdPerMtok: price,
      cacheReadNanoUsdPerMtok: fc.option(price),
      cacheWriteNanoUsdPerMtok: fc.option(price),
      cacheWrite1hNanoUsdPerMtok: fc.option(price),
    });
    const anyUsage = fc.record({
      inputTokens: count,
      cacheReadTokens: count,
      cacheWriteTokens: count,
      cacheWrite1hTokens: count,
      outputTokens: count,
    });
    const ppm = fc.nat(100_000_000);

    it('is the exact product rounded up by less than a nano-dollar', () => {
      fc.assert(
        fc.property(anyUsage, classPrices, ppm, (usage, prices, multiplierPpm) => {
          const input = prices.inputNanoUsdPerMtok;
          const write = prices.cacheWriteNanoUsdPerMtok ?? input;
          const parts: [number, bigint][] = [
            [usage.inputTokens, input],
            [usage.cacheReadTokens, prices.cacheReadNanoUsdPerMtok ?? input],
            [usage.cacheWriteTokens, write],
            [usage.cacheWrite1hTokens, prices.cacheWrite1hNanoUsdPerMtok ?? write],
            [usage.outputTokens, prices.outputNanoUsdPerMtok],
          ];
          const exact = parts.reduce((sum, [tokens, each]) => sum + BigInt(tokens) * each, 0n);
          const beyond =
            computeCost(usage, prices, multiplierPpm) * 10n ** 12n - exact * BigInt(multiplierPpm);
          expect(beyond >= 0n && beyond < 10n ** 12n).toBe(true);
        }),
      );
    });

    it('never decreases with another token or a higher multiplier', () => {
      const field = fc.constantFrom(
        ...([
          'inputTokens',
          'cacheReadTokens',
          'cacheWriteTokens',
          'cacheWrite1hTokens',
          'outputTokens',
        ] as const),
      );
      fc.assert(
        fc.property(anyUsage, classPrices, ppm, field, (usage, prices, multiplierPpm, name) => {
          const cost = computeCost(usage, prices, multiplierPpm);
          expect(computeCost({ ...usage, [name]: usage[name] + 1 }, prices, multiplierPpm) >= cost).toBe(
            true,
          );
          expect(computeCost(usage, prices, multiplierPpm + 1) >= cost).toBe(true);
        }),
      );
    });

    it('costs the same with a multiplier of 1, and nothing with 0', () => {
      fc.assert(
        fc.property(anyUsage, classPrices, (usage, prices) => {
          expect(computeCost(usage, prices)).toBe(computeCost(usage, prices, FULL_PRICE_PPM));
          expect(computeCost(usage, prices, 0)).toBe(0n);
        }),
      );
    });
  });
});
