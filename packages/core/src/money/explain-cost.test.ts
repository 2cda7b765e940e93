import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainCost, formatZeptoUsd } from './explain-cost.ts';
import { NO_USAGE } from './money.ts';
import { computeCost } from './rates/compute-cost.ts';

const PRICES = {
  inputNanoUsdPerMtok: 3_000_000_000n,
  outputNanoUsdPerMtok: 15_000_000_000n,
  cacheReadNanoUsdPerMtok: 300_000_000n,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};

describe('explainCost', () => {
  it('splits a bill by token class', () => {
    const usage = { ...NO_USAGE, inputTokens: 218, cacheReadTokens: 1900, outputTokens: 356 };
    const billedNanoUsd = computeCost(usage, PRICES);
    const explained = explainCost({ usage, card: PRICES, multiplierPpm: 1_000_000, billedNanoUsd });
    expect(
      explained.lines.map((line) => [
        line.kind === 'tokens' ? line.tokenClass : line.tool,
        formatZeptoUsd(line.amountZeptoUsd),
      ]),
    ).toEqual([
      ['input', '0.000654'],
      ['cache_read', '0.00057'],
      ['output', '0.00534'],
    ]);
    expect(explained).toMatchObject({
      planZeptoUsd: 0n,
      roundingZeptoUsd: 0n,
      cappedZeptoUsd: 0n,
      isLongInput: false,
    });
  });

  it('shows the plan adjustment, the rounding and the part above the hold', () => {
    const usage = { ...NO_USAGE, inputTokens: 1 };
    const prices = { ...PRICES, inputNanoUsdPerMtok: 1_000_001n };
    const explained = explainCost({ usage, card: prices, multiplierPpm: 1_200_000, billedNanoUsd: 1n });
    expect(formatZeptoUsd(explained.planZeptoUsd)).toBe('0.0000000002000002');
    expect(formatZeptoUsd(explained.roundingZeptoUsd)).toBe('0.0000000007999988');
    expect(formatZeptoUsd(explained.cappedZeptoUsd)).toBe('-0.000000001');
  });

  it('uses the prices for long input if they apply', () => {
    const longInput = { ...PRICES, aboveInputTokens: 10, inputNanoUsdPerMtok: 6_000_000_000n };
    const usage = { ...NO_USAGE, inputTokens: 11 };
    const explained = explainCost({
      usage,
      card: { ...PRICES, longInput },
      multiplierPpm: 1_000_000,
      billedNanoUsd: 66_000n,
    });
    expect(explained.isLongInput).toBe(true);
    expect(explained.lines).toMatchObject([{ rateNanoUsd: 6_000_000_000n }]);
    expect(explained.cappedZeptoUsd).toBe(0n);
  });

  it('adds up to the bill for any usage, prices, plan and bill', () => {
    const count = fc.nat(0x7fffffff);
    const price = fc.bigInt({ min: 0n, max: 10n ** 15n });
    const classPrices = {
      inputNanoUsdPerMtok: price,
      outputNanoUsdPerMtok: price,
      cacheReadNanoUsdPerMtok: fc.option(price),
      cacheWriteNanoUsdPerMtok: fc.option(price),
      cacheWrite1hNanoUsdPerMtok: fc.option(price),
    };
    const request = fc.record({
      usage: fc.record({
        inputTokens: count,
        cacheReadTokens: count,
        cacheWriteTokens: count,
        cacheWrite1hTokens: count,
        outputTokens: count,
      }),
      card: fc.record({
        ...classPrices,
        longInput: fc.option(fc.record({ ...classPrices, aboveInputTokens: count })),
      }),
      multiplierPpm: fc.nat(100_000_000),
      billedNanoUsd: price,
    });
    fc.assert(
      fc.property(request, (asked) => {
        const { lines, planZeptoUsd, roundingZeptoUsd, cappedZeptoUsd } = explainCost(asked);
        const atModelPrice = lines.reduce((sum, line) => sum + line.amountZeptoUsd, 0n);
        const rounded = atModelPrice + planZeptoUsd + roundingZeptoUsd;
        expect(rounded).toBe(computeCost(asked.usage, asked.card, asked.multiplierPpm) * 10n ** 12n);
        expect(rounded + cappedZeptoUsd).toBe(asked.billedNanoUsd * 10n ** 12n);
        expect(roundingZeptoUsd >= 0n && roundingZeptoUsd < 10n ** 12n).toBe(true);
      }),
    );
  });
});
