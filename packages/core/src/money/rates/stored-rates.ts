import { z } from 'zod';
import type { ClassPrices } from '../money.ts';
import type { PriceField } from '../price-fields.ts';
import type { AdditionalRates, TermPrices, TermRate } from './rate-card.ts';
import { MEDIA_TOKEN_CLASSES, SERVER_TOOLS } from './rate-need.ts';

/** Whole nano-dollars as strings, because many JSON parsers read numbers as floats. */
const amount = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt);

const classPrices = z.object({
  inputNanoUsdPerMtok: amount,
  outputNanoUsdPerMtok: amount,
  cacheReadNanoUsdPerMtok: amount.nullable(),
  cacheWriteNanoUsdPerMtok: amount.nullable(),
  cacheWrite1hNanoUsdPerMtok: amount.nullable(),
} satisfies Record<PriceField, z.ZodType>);
const termRates = z.record(
  z.string(),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('multiplier'), ppm: z.int().min(0) }),
    z.object({
      kind: z.literal('prices'),
      prices: classPrices.extend({
        longInput: classPrices.extend({ aboveInputTokens: z.int().min(1) }).nullable(),
      }),
    }),
  ]),
);
const storedRatesSchema: z.ZodType<AdditionalRates> = z.object({
  media: z.partialRecord(z.enum(MEDIA_TOKEN_CLASSES), amount),
  toolCalls: z.partialRecord(z.enum(SERVER_TOOLS), amount),
  serviceTiers: termRates,
  speeds: termRates,
  inferenceGeos: termRates,
});

/**
 * Parses the additional rates of a stored price version.
 * @returns null if there are none
 * @throws ZodError if they are invalid: requests must not be billed without them
 */
export function decodeRates(stored: unknown): AdditionalRates | null {
  return stored === null || stored === undefined ? null : storedRatesSchema.parse(stored);
}

/** Formats additional rates as JSON in a fixed order; null: no rates. */
export function encodeRates(
  rates: AdditionalRates | null | undefined,
): Record<keyof AdditionalRates, object> | null {
  if (rates === null || rates === undefined || isEmpty(rates)) return null;
  return {
    media: writeAmounts(rates.media),
    toolCalls: writeAmounts(rates.toolCalls),
    serviceTiers: writeTerms(rates.serviceTiers),
    speeds: writeTerms(rates.speeds),
    inferenceGeos: writeTerms(rates.inferenceGeos),
  };
}

function isEmpty(rates: AdditionalRates): boolean {
  const groups: readonly object[] = Object.values(rates);
  return groups.every((group) => Object.values(group).every((rate) => rate === undefined));
}

function writeAmounts(amounts: Readonly<Record<string, bigint | undefined>>): Record<string, string> {
  return Object.fromEntries(
    inOrder(amounts).flatMap(([name, rate]) => (rate === undefined ? [] : [[name, rate.toString()]])),
  );
}

function writeTerms(terms: Readonly<Record<string, TermRate>>): Record<string, object> {
  return Object.fromEntries(
    inOrder(terms).map(([name, rate]) => [
      name,
      rate.kind === 'multiplier'
        ? { kind: rate.kind, ppm: rate.ppm }
        : { kind: rate.kind, prices: writePrices(rate.prices) },
    ]),
  );
}

function writePrices({ longInput, ...prices }: TermPrices): object {
  return {
    ...writeClasses(prices),
    longInput:
      longInput === null
        ? null
        : { ...writeClasses(longInput), aboveInputTokens: longInput.aboveInputTokens },
  };
}

function writeClasses(prices: ClassPrices): Record<PriceField, string | null> {
  return {
    inputNanoUsdPerMtok: prices.inputNanoUsdPerMtok.toString(),
    outputNanoUsdPerMtok: prices.outputNanoUsdPerMtok.toString(),
    cacheReadNanoUsdPerMtok: prices.cacheReadNanoUsdPerMtok?.toString() ?? null,
    cacheWriteNanoUsdPerMtok: prices.cacheWriteNanoUsdPerMtok?.toString() ?? null,
    cacheWrite1hNanoUsdPerMtok: prices.cacheWrite1hNanoUsdPerMtok?.toString() ?? null,
  };
}

function inOrder<T>(group: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(group).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
