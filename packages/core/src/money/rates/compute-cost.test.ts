import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainCost } from '../explain-cost.ts';
import { NO_USAGE } from '../money.ts';
import { listBillLines } from './bill-lines.ts';
import { computeCost, splitAtHold, withMultiplier, withoutMultiplier } from './compute-cost.ts';
import { NO_RATES, PLAIN_TERMS, type RateCard } from './rate-card.ts';
import { decodeRates, encodeRates } from './stored-rates.ts';

const USD = 1_000_000_000n;
const classes = (input: bigint, output: bigint) => ({
  inputNanoUsdPerMtok: input,
  outputNanoUsdPerMtok: output,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
});
const CARD: RateCard = {
  ...classes(5n * USD, 25n * USD),
  longInput: { ...classes(10n * USD, 30n * USD), aboveInputTokens: 1_000 },
  rates: {
    ...NO_RATES,
    media: { audio_input: 32n * USD },
    toolCalls: { web_search: 10n * USD },
    serviceTiers: { flex: { kind: 'multiplier', ppm: 500_000 } },
    speeds: { fast: { kind: 'prices', prices: { ...classes(30n * USD, 150n * USD), longInput: null } } },
    inferenceGeos: { us: { kind: 'multiplier', ppm: 1_100_000 } },
  },
};
const USAGE = { ...NO_USAGE, inputTokens: 100, outputTokens: 10 };
const terms = (rest: Partial<typeof PLAIN_TERMS>) => ({ terms: { ...PLAIN_TERMS, ...rest } });

describe('the cost of a request', () => {
  it.each([
    ['plain terms', {}, 100n * 5_000n + 10n * 25_000n],
    ['a name of the plain tier', { serviceTier: 'default', inferenceGeo: 'global' }, 750_000n],
    ['a tier that is a multiplier', { serviceTier: 'flex' }, 375_000n],
    ['a speed with its own prices', { speed: 'fast' }, 100n * 30_000n + 10n * 150_000n],
    ['two multipliers', { serviceTier: 'flex', inferenceGeo: 'us' }, 412_500n],
    ['own prices and a multiplier', { speed: 'fast', inferenceGeo: 'us' }, 4_950_000n],
  ])('holds for %s', (_, given, cost) => {
    expect(computeCost(USAGE, CARD, 1_000_000, terms(given))).toBe(cost);
  });

  it('bills audio at its own rate and counts it toward the long-input threshold', () => {
    const usage = { ...USAGE, extras: { audioInputTokens: 900 } };
    expect(computeCost(usage, CARD)).toBe(750_000n + 900n * 32_000n);
    const long = { ...USAGE, extras: { audioInputTokens: 901 } };
    expect(computeCost(long, CARD)).toBe(100n * 10_000n + 10n * 30_000n + 901n * 32_000n);
  });

  it.each([
    ['the long text rate if that is higher than its own', 4n, 10n],
    ['its own rate if that is higher than the long text rate', 32n, 32n],
  ])('bills audio in long input at %s', (_, rateUsd, billedUsd) => {
    const card = { ...CARD, rates: { ...NO_RATES, media: { audio_input: rateUsd * USD } } };
    const billed = (tokens: number) => {
      const { lines } = listBillLines({ ...NO_USAGE, extras: { audioInputTokens: tokens } }, card);
      return lines.map(({ rateNanoUsd }) => rateNanoUsd);
    };
    expect(billed(1_001)).toEqual([billedUsd * USD]);
    // Short input has the rate of the card, even if text costs more.
    expect(billed(1_000)).toEqual([rateUsd * USD]);
  });

  it('bills tool calls per thousand on any tier', () => {
    const usage = { ...USAGE, extras: { toolCalls: { web_search: 3 } } };
    expect(computeCost(usage, CARD, 1_000_000, terms({ serviceTier: 'flex' }))).toBe(375_000n + 30_000_000n);
  });

  it('bills additional models by their own cards', () => {
    const other: RateCard = classes(50n * USD, 100n * USD);
    const usage = { ...USAGE, extras: { iterations: [{ model: 'b', usage: USAGE, priceId: 9 }] } };
    const findCard = ({ priceId }: { priceId?: number | undefined }) => (priceId === 9 ? other : null);
    expect(computeCost(usage, CARD, 1_000_000, { findCard })).toBe(
      750_000n + 100n * 50_000n + 10n * 100_000n,
    );
  });

  it('names missing rates and bills their usage at the standard rate', () => {
    const usage = {
      ...USAGE,
      extras: { audioOutputTokens: 4, imageInputTokens: 5, toolCalls: { file_search: 1 } },
    };
    const { lines, missing } = listBillLines(usage, CARD, terms({ serviceTier: 'batch' }));
    expect(missing).toEqual(['service_tier batch', 'audio_output tokens', 'tool_calls file_search']);
    expect(
      lines.map((line) => [line.kind === 'tokens' ? line.tokenClass : line.tool, line.rateNanoUsd]),
    ).toEqual([
      ['input', 5n * USD],
      ['output', 25n * USD],
      ['image_input', 5n * USD],
      ['audio_output', 25n * USD],
    ]);
  });

  it('rounds once and matches the sum of its lines', () => {
    const count = fc.nat(1_000_000);
    const usage = fc.record({
      inputTokens: count,
      cacheReadTokens: count,
      cacheWriteTokens: count,
      cacheWrite1hTokens: count,
      outputTokens: count,
      extras: fc.record({
        audioInputTokens: count,
        imageOutputTokens: count,
        toolCalls: fc.record({ web_search: count }),
        iterations: fc.array(fc.record({ model: fc.string(), usage: fc.constant(USAGE) }), { maxLength: 3 }),
      }),
    });
    const given = fc.record({
      serviceTier: fc.constantFrom(null, 'flex', 'unknown'),
      speed: fc.constantFrom(null, 'fast'),
      inferenceGeo: fc.constantFrom(null, 'us'),
    });
    fc.assert(
      fc.property(usage, given, fc.nat(5_000_000), (used, asked, multiplierPpm) => {
        const bill = { terms: asked };
        const billedNanoUsd = computeCost(used, CARD, multiplierPpm, bill);
        const explained = explainCost({ usage: used, card: CARD, bill, multiplierPpm, billedNanoUsd });
        const sum = explained.lines.reduce(
          (total, line) => total + line.amountZeptoUsd,
          explained.planZeptoUsd,
        );
        expect(sum + explained.roundingZeptoUsd).toBe(billedNanoUsd * 10n ** 12n);
        expect(explained.cappedZeptoUsd).toBe(0n);
        expect(explained.roundingZeptoUsd < 10n ** 12n).toBe(true);
      }),
    );
  });
});

it('stores additional rates as whole nano-dollars in strings', () => {
  const stored = JSON.parse(JSON.stringify(encodeRates(CARD.rates)));
  expect(stored).toMatchObject({ toolCalls: { web_search: '10000000000' } });
  expect(decodeRates(stored)).toEqual(CARD.rates);
  expect(encodeRates(NO_RATES)).toBeNull();
  expect(() => decodeRates({ toolCalls: { web_search: 10 } })).toThrow(/expected string/);
});

describe('the multiplier of a plan', () => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });

  it('is applied and removed to within a nano-dollar', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 100_000_000 }), (nanoUsd, ppm) => {
        const multiplied = withMultiplier(nanoUsd, ppm);
        const exact = nanoUsd * BigInt(ppm);
        expect(multiplied * 1_000_000n - exact).toBeGreaterThanOrEqual(0n);
        expect(multiplied * 1_000_000n - exact).toBeLessThan(1_000_000n);
        // One nano-dollar of rounding is worth more before a multiplier below 1.
        const mostPpm = BigInt(Math.max(1, Math.ceil(1_000_000 / ppm)));
        expect(withoutMultiplier(multiplied, ppm) - nanoUsd).toBeGreaterThanOrEqual(0n);
        expect(withoutMultiplier(multiplied, ppm) - nanoUsd).toBeLessThanOrEqual(mostPpm);
      }),
    );
  });

  it('is the same for an amount as for a bill of this amount', () => {
    const card = classes(1_000_000n, 0n);
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 100_000_000 }), (inputTokens, ppm) => {
        const usage = { ...NO_USAGE, inputTokens };
        expect(withMultiplier(computeCost(usage, card), ppm)).toBe(computeCost(usage, card, ppm));
      }),
    );
  });
});

describe('a cost above its hold', () => {
  it.each([
    [700n, 1_000n, 700n, 0n],
    [1_000n, 1_000n, 1_000n, 0n],
    [1_001n, 1_000n, 1_000n, 1n],
    [5n, 0n, 0n, 5n],
    [5n, null, 5n, 0n],
  ])('of %s with a hold of %s is billed %s, and %s stay unbilled', (cost, held, billed, unbilled) => {
    expect(splitAtHold(cost, held)).toEqual({ billedNanoUsd: billed, unbilledNanoUsd: unbilled });
  });
});
