import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClassPrices, TokenPrices } from '../money.ts';
import { boundRates, boundToolReads } from './bound-rates.ts';
import { NO_RATES, type RateCard, type TermPrices } from './rate-card.ts';

const TIER = { kind: 'service_tier', tier: 'priority' } as const;

function classes(input: bigint, rest: Partial<ClassPrices> = {}): ClassPrices {
  return {
    inputNanoUsdPerMtok: input,
    outputNanoUsdPerMtok: input,
    cacheReadNanoUsdPerMtok: null,
    cacheWriteNanoUsdPerMtok: null,
    cacheWrite1hNanoUsdPerMtok: null,
    ...rest,
  };
}

/** A price list whose long input starts above a threshold; null: it has no long input. */
function priceList(input: bigint, aboveInputTokens: number | null): TermPrices {
  const longInput = aboveInputTokens === null ? null : { ...classes(2n * input), aboveInputTokens };
  return { ...classes(input), longInput };
}

function cardWith(plain: TermPrices, priority: TermPrices): RateCard {
  return {
    ...plain,
    rates: { ...NO_RATES, serviceTiers: { priority: { kind: 'prices', prices: priority } } },
  };
}

function getBound(card: RateCard): TokenPrices {
  const found = boundRates(card, [TIER]);
  if (!found.ok) throw new Error(found.missing);
  return found.bound.prices;
}

describe('the bound of price lists with different thresholds of long input', () => {
  it.each([
    [200_000, 100_000, 100_000],
    [100_000, 200_000, 100_000],
    [null, 200_000, 200_000],
    [200_000, null, 200_000],
  ])('with %s and %s tokens has the long price above %s', (plain, priority, lowest) => {
    const { longInput } = getBound(cardWith(priceList(5n, plain), priceList(10n, priority)));
    expect(longInput).toMatchObject({ aboveInputTokens: lowest });
  });

  it('has no long price if no list has one', () => {
    expect(getBound(cardWith(priceList(5n, null), priceList(10n, null))).longInput).toBeNull();
  });

  it('is never less than either list, for any input', () => {
    const list = fc
      .tuple(fc.bigInt({ min: 0n, max: 100n }), fc.option(fc.nat(10)))
      .map(([input, above]) => priceList(input, above));
    const priceAt = ({ longInput, ...short }: TokenPrices, tokens: number) =>
      longInput && tokens > longInput.aboveInputTokens
        ? longInput.inputNanoUsdPerMtok
        : short.inputNanoUsdPerMtok;
    fc.assert(
      fc.property(list, list, fc.nat(12), (plain, priority, tokens) => {
        const bound = priceAt(getBound(cardWith(plain, priority)), tokens);
        expect(bound).toBeGreaterThanOrEqual(priceAt(plain, tokens));
        expect(bound).toBeGreaterThanOrEqual(priceAt(priority, tokens));
      }),
    );
  });
});

describe('what the model reads of tools', () => {
  const search = { kind: 'tool_calls', tool: 'web_search', maxCalls: 3, resultTokens: 10 } as const;
  const preview = { ...search, tool: 'web_search_preview', maxCalls: 2, resultTokens: 20 } as const;
  const files = { kind: 'tool_calls', tool: 'file_search', maxCalls: 1 } as const;

  it('is the calls of all tools, each with the largest result', () => {
    expect(boundToolReads([search])).toEqual({ calls: 3, resultTokens: 10 });
    expect(boundToolReads([search, TIER, preview])).toEqual({ calls: 5, resultTokens: 20 });
  });

  it('has no limit without tools, or with a tool whose results have none', () => {
    expect(boundToolReads([TIER])).toBeNull();
    expect(boundToolReads([search, files])).toBeNull();
  });
});
