import { describe, expect, it } from 'vitest';
import { costOf, formatUsd, formatUsdPerToken, parseUsd } from './money.ts';

describe('parseUsd', () => {
  it('reads whole and decimal dollars to the nano-dollar', () => {
    expect(parseUsd('10')).toBe(10_000_000_000n);
    expect(parseUsd(' 0.000000001 ')).toBe(1n);
    expect(parseUsd('61.20')).toBe(61_200_000_000n);
  });

  it.each(['', '-1', '1e3', '.5', '1.0000000001', '1,000', 'NaN', '0x10'])('refuses %j', (text) => {
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

describe('formatUsdPerToken', () => {
  it.each([
    [0n, '0'],
    [1n, '0.000000000000001'],
    [3_000_000_000n, '0.000003'],
    [3_625_000n, '0.000000003625'],
    [2_500_000_000_000_000n, '2.5'],
    [7_000_000_000_000_000n, '7'],
  ])('writes %d nano-dollars per million tokens as %s', (price, text) => {
    expect(formatUsdPerToken(price)).toBe(text);
  });
});

describe('costOf', () => {
  const prices = {
    inputNanoUsdPerMtok: 3_000_000_000n,
    outputNanoUsdPerMtok: 15_000_000_000n,
    cacheReadNanoUsdPerMtok: 300_000_000n,
    cacheWriteNanoUsdPerMtok: null,
  };

  it('adds the classes of tokens at their own prices', () => {
    const usage = { inputTokens: 218, cacheReadTokens: 1900, cacheWriteTokens: 0, outputTokens: 356 };
    expect(formatUsd(costOf(usage, prices))).toBe('0.006564');
  });

  it('rounds up once, at the end', () => {
    const cheap = { ...prices, inputNanoUsdPerMtok: 1n, outputNanoUsdPerMtok: 1n };
    const usage = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
    expect(costOf(usage, cheap)).toBe(1n);
  });

  it('charges cache writes as input where they have no price of their own', () => {
    const usage = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 1_000_000, outputTokens: 0 };
    expect(costOf(usage, prices)).toBe(3_000_000_000n);
  });

  describe('where long input costs more', () => {
    const tiered = {
      ...prices,
      longInput: {
        aboveInputTokens: 200_000,
        inputNanoUsdPerMtok: 6_000_000_000n,
        outputNanoUsdPerMtok: 22_500_000_000n,
        cacheReadNanoUsdPerMtok: 600_000_000n,
        cacheWriteNanoUsdPerMtok: null,
      },
    };
    const usage = {
      inputTokens: 100_000,
      cacheReadTokens: 60_000,
      cacheWriteTokens: 40_000,
      outputTokens: 1,
    };

    it('charges the normal prices up to the threshold, cached input counted', () => {
      expect(costOf(usage, tiered)).toBe(costOf(usage, prices));
    });

    it.each(['inputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const)(
      'charges all of it at the higher ones from one token more of %s on',
      (field) => {
        const longer = { ...usage, [field]: usage[field] + 1 };
        expect(costOf(longer, tiered)).toBe(costOf(longer, tiered.longInput));
      },
    );

    it('looks at the input alone', () => {
      const wordy = { ...usage, outputTokens: 1_000_000 };
      expect(costOf(wordy, tiered)).toBe(costOf(wordy, prices));
    });
  });
});
