import { expect, it } from 'vitest';
import { priceTermsSchema, toPriceTerms, toTokenPrices, type PriceTerms } from './price-terms.ts';

const SHORT = {
  inputUsd: '3.00',
  outputUsd: '15.00',
  cacheReadUsd: '0.30',
  cacheWriteUsd: '3.75',
  cacheWrite1hUsd: null,
};
const LONG = {
  inputUsd: '6.00',
  outputUsd: '22.50',
  cacheReadUsd: '0.60',
  cacheWriteUsd: '7.50',
  cacheWrite1hUsd: null,
};
const TERMS: PriceTerms = { ...SHORT, longInput: { ...LONG, aboveInputTokens: 200_000 } };

it('reads prices exactly, and writes them again', () => {
  expect(toPriceTerms(toTokenPrices(priceTermsSchema.parse(TERMS)))).toEqual(TERMS);
  expect(toTokenPrices({ ...SHORT, longInput: null }).cacheReadNanoUsdPerMtok).toBe(300_000_000n);
});

it.each([
  [{ inputUsd: '2.99' }, 'inputUsd'],
  // It falls back to the input of long requests, which is dearer: fine. This one names less.
  [{ cacheReadUsd: '0.1' }, 'cacheReadUsd'],
  [{ cacheWrite1hUsd: '1' }, 'cacheWrite1hUsd'],
])('refuses a long price below the short one: %o', (change, field) => {
  const read = priceTermsSchema.safeParse({
    ...SHORT,
    longInput: { ...LONG, aboveInputTokens: 200_000, ...change },
  });
  expect(read.error?.issues.map(({ path }) => path)).toEqual([['longInput', field]]);
});

it.each(['', '-1', 'free', '0.0000000001', '1000001'])('refuses the price %j', (inputUsd) => {
  const read = priceTermsSchema.safeParse({ ...SHORT, inputUsd, longInput: null });
  expect(read.error?.issues[0]?.path).toEqual(['inputUsd']);
});
