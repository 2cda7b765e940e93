import type { PriceUsdField } from '@tollgate/core/money/price-fields';
import { priceTermsSchema, type PriceTerms } from '@tollgate/core/money/price-terms';
import type { RateLine } from '@tollgate/core/money/rates/rate-lines';
import { z } from 'zod';
import { plainNumber } from '../../../lib/typed-number.ts';

const classTexts = {
  inputUsd: z.string(),
  outputUsd: z.string(),
  cacheReadUsd: z.string(),
  cacheWriteUsd: z.string(),
  cacheWrite1hUsd: z.string(),
} satisfies Record<PriceUsdField, z.ZodType>;
type ClassTexts = { [Name in keyof typeof classTexts]: string };

/** Price fields as entered, to be spread into larger forms. */
export const priceTextsSchema = z.object({
  ...classTexts,
  hasLongInput: z.boolean(),
  longInput: z.object({ ...classTexts, aboveInputTokens: z.string() }),
  /** Additional rates, one per line: `service_tier:flex = 0.5x`. */
  rates: z.string(),
});
export type PriceTexts = z.infer<typeof priceTextsSchema>;

/** Parses the fields into price terms. Empty fields fall back to the previous class. */
export function readPriceTexts(texts: PriceTexts): PriceTerms {
  const { hasLongInput, longInput, rates } = texts;
  return {
    ...readClasses(texts),
    longInput: hasLongInput
      ? {
          ...readClasses(longInput),
          aboveInputTokens: Number(plainNumber(longInput.aboveInputTokens)),
        }
      : null,
    rates: readRates(rates),
  };
}

/** Validated with the server's schema. */
export const priceFormSchema = priceTextsSchema.transform(readPriceTexts).pipe(priceTermsSchema);

const NO_TEXTS: ClassTexts = {
  inputUsd: '',
  outputUsd: '',
  cacheReadUsd: '',
  cacheWriteUsd: '',
  cacheWrite1hUsd: '',
};

/** @param terms null for an empty form */
export function getPriceTexts(terms: PriceTerms | null): PriceTexts {
  if (terms === null)
    return { ...NO_TEXTS, hasLongInput: false, longInput: { ...NO_TEXTS, aboveInputTokens: '' }, rates: '' };
  const { longInput } = terms;
  return {
    ...writeClasses(terms),
    hasLongInput: longInput !== null,
    longInput:
      longInput === null
        ? { ...NO_TEXTS, aboveInputTokens: '' }
        : { ...writeClasses(longInput), aboveInputTokens: String(longInput.aboveInputTokens) },
    rates: terms.rates.map(({ rate, value }) => `${rate} = ${value}`).join('\n'),
  };
}

type ClassTerms = Omit<PriceTerms, 'longInput' | 'rates'>;

function readClasses(texts: ClassTexts): ClassTerms {
  const orNull = (text: string) => (plainNumber(text) === '' ? null : plainNumber(text));
  return {
    inputUsd: plainNumber(texts.inputUsd),
    outputUsd: plainNumber(texts.outputUsd),
    cacheReadUsd: orNull(texts.cacheReadUsd),
    cacheWriteUsd: orNull(texts.cacheWriteUsd),
    cacheWrite1hUsd: orNull(texts.cacheWrite1hUsd),
  };
}

function writeClasses(terms: ClassTerms): ClassTexts {
  return {
    inputUsd: terms.inputUsd,
    outputUsd: terms.outputUsd,
    cacheReadUsd: terms.cacheReadUsd ?? '',
    cacheWriteUsd: terms.cacheWriteUsd ?? '',
    cacheWrite1hUsd: terms.cacheWrite1hUsd ?? '',
  };
}

/** A line without `=` becomes a rate without a value, which the schema rejects. */
function readRates(text: string): RateLine[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [rate = '', ...value] = line.split('=');
      return { rate: rate.trim(), value: value.join('=').replaceAll('$', '').trim() };
    });
}
