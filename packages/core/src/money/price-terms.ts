import { z } from 'zod';
import { formatUsd, parseUsd, type ClassPrices, type NanoUsd, type TokenPrices } from './money.ts';
import { formatUsdPerMtok, planPrice, type ChargingTerms } from './plan-price.ts';
import { PRICE_FIELDS, PRICE_ORDER, type PriceUsdField } from './price-fields.ts';
import type { RateCard } from './rates/rate-card.ts';
import { rateLinesSchema, toRateLines, toRates } from './rates/rate-lines.ts';

/** One million dollars per million tokens: far above real prices and far below PostgreSQL's bigint limit. */
const MAX_PRICE_NANO_USD = 1_000_000_000_000_000n;

const priceSchema = z
  .string()
  .trim()
  .refine((text) => {
    const amount = parseUsd(text);
    return amount !== null && amount <= MAX_PRICE_NANO_USD;
  }, 'Enter a price in USD per million tokens, such as 3 or 0.25');

const classPricesSchema = z.object({
  inputUsd: priceSchema,
  outputUsd: priceSchema,
  /** null: input price. */
  cacheReadUsd: priceSchema.nullable(),
  /** null: input price. */
  cacheWriteUsd: priceSchema.nullable(),
  /** null: cache-write price. */
  cacheWrite1hUsd: priceSchema.nullable(),
} satisfies Record<PriceUsdField, z.ZodType>);

type ClassPriceTerms = z.infer<typeof classPricesSchema>;

/** A model's prices as operators enter them, in USD per million tokens; validated by client and server. */
export const priceTermsSchema = z
  .object({
    ...classPricesSchema.shape,
    /** Prices for a whole request with longer input; null: the same price for any length. */
    longInput: z
      .object({ ...classPricesSchema.shape, aboveInputTokens: z.int().min(1).max(2_147_483_647) })
      .nullable(),
    /** Additional rates. */
    rates: rateLinesSchema,
  })
  .superRefine((terms, context) => {
    for (const name of listCheaperClasses(terms))
      context.addIssue({
        code: 'custom',
        path: ['longInput', name],
        message: 'Long input must not cost less than short input',
      });
  });

export type PriceTerms = z.output<typeof priceTermsSchema>;

/** More tokens must not cost less, so that an upper bound of tokens is an upper bound of cost. */
function listCheaperClasses(terms: PriceTerms): PriceUsdField[] {
  const { longInput } = terms;
  if (longInput === null) return [];
  const isRead = classPricesSchema.safeParse(terms).success && classPricesSchema.safeParse(longInput).success;
  if (!isRead) return [];
  const low = fill(toClassPrices(terms));
  const high = fill(toClassPrices(longInput));
  return PRICE_ORDER.map((field) => PRICE_FIELDS[field]).filter((name) => high[name] < low[name]);
}

/** Resolves the price of every class, including fallbacks. */
function fill(prices: ClassPrices): Record<PriceUsdField, NanoUsd> {
  const input = prices.inputNanoUsdPerMtok;
  const cacheWriteUsd = prices.cacheWriteNanoUsdPerMtok ?? input;
  return {
    inputUsd: input,
    outputUsd: prices.outputNanoUsdPerMtok,
    cacheReadUsd: prices.cacheReadNanoUsdPerMtok ?? input,
    cacheWriteUsd,
    cacheWrite1hUsd: prices.cacheWrite1hNanoUsdPerMtok ?? cacheWriteUsd,
  };
}

/** @param terms validated by the schema */
export function toRateCard({ longInput, rates, ...short }: PriceTerms): RateCard {
  return {
    ...toClassPrices(short),
    longInput:
      longInput === null
        ? null
        : { ...toClassPrices(longInput), aboveInputTokens: longInput.aboveInputTokens },
    rates: toRates(rates),
  };
}

/** Formats prices exactly, so that parsing the result returns the same prices. */
export function toPriceTerms(prices: RateCard): PriceTerms {
  return { ...toTokenTerms(prices, formatUsd), rates: toRateLines(prices.rates) };
}

/** What an account pays per million tokens, in USD with up to 15 decimals. */
export type PlanPriceTerms = Omit<PriceTerms, 'rates'>;

/** Formats what the accounts of a plan pay, exactly. */
export function toPlanPriceTerms(prices: TokenPrices, plan: ChargingTerms): PlanPriceTerms {
  return toTokenTerms(prices, (price) => formatUsdPerMtok(planPrice(price, plan)));
}

function toTokenTerms(prices: TokenPrices, format: (price: NanoUsd) => string): PlanPriceTerms {
  const { longInput } = prices;
  const isLong = longInput !== undefined && longInput !== null;
  return {
    ...toClassTerms(prices, format),
    longInput: isLong
      ? { ...toClassTerms(longInput, format), aboveInputTokens: longInput.aboveInputTokens }
      : null,
  };
}

function toClassPrices(terms: ClassPriceTerms): ClassPrices {
  return {
    inputNanoUsdPerMtok: parsePrice(terms.inputUsd),
    outputNanoUsdPerMtok: parsePrice(terms.outputUsd),
    cacheReadNanoUsdPerMtok: parseOptional(terms.cacheReadUsd),
    cacheWriteNanoUsdPerMtok: parseOptional(terms.cacheWriteUsd),
    cacheWrite1hNanoUsdPerMtok: parseOptional(terms.cacheWrite1hUsd),
  };
}

function toClassTerms(prices: ClassPrices, format: (price: NanoUsd) => string): ClassPriceTerms {
  const write = (price: NanoUsd | null) => (price === null ? null : format(price));
  return {
    inputUsd: format(prices.inputNanoUsdPerMtok),
    outputUsd: format(prices.outputNanoUsdPerMtok),
    cacheReadUsd: write(prices.cacheReadNanoUsdPerMtok),
    cacheWriteUsd: write(prices.cacheWriteNanoUsdPerMtok),
    cacheWrite1hUsd: write(prices.cacheWrite1hNanoUsdPerMtok),
  };
}

function parseOptional(text: string | null): NanoUsd | null {
  return text === null ? null : parsePrice(text);
}

function parsePrice(text: string): NanoUsd {
  const amount = parseUsd(text);
  if (amount === null) throw new Error(`${text} is not an amount in USD`);
  return amount;
}
