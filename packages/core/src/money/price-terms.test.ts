import { expect, it } from 'vitest';
import { priceTermsSchema, toPriceTerms, toRateCard, type PriceTerms } from './price-terms.ts';

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
const RATES = [
  { rate: 'inference_geo:us', value: '1.1x' },
  { rate: 'service_tier:flex', value: '0.5x' },
  { rate: 'service_tier:priority', value: '6.00/30.00/0.60 >200000 12.00/45.00/-/15.00' },
  { rate: 'tokens:audio_input', value: '32.00' },
  { rate: 'tool_calls:web_search', value: '10.00' },
];
const TERMS: PriceTerms = { ...SHORT, rates: RATES, longInput: { ...LONG, aboveInputTokens: 200_000 } };

it('parses prices exactly and formats them again', () => {
  expect(toPriceTerms(toRateCard(priceTermsSchema.parse(TERMS)))).toEqual(TERMS);
  expect(toRateCard({ ...SHORT, rates: [], longInput: null }).cacheReadNanoUsdPerMtok).toBe(300_000_000n);
});

it.each([
  [{ inputUsd: '2.99' }, 'inputUsd'],
  // Falls back to the higher long-input price, which is valid. This one is lower.
  [{ cacheReadUsd: '0.1' }, 'cacheReadUsd'],
  [{ cacheWrite1hUsd: '1' }, 'cacheWrite1hUsd'],
])('refuses a long price below the short one: %o', (change, field) => {
  const read = priceTermsSchema.safeParse({
    ...SHORT,
    rates: [],
    longInput: { ...LONG, aboveInputTokens: 200_000, ...change },
  });
  expect(read.error?.issues.map(({ path }) => path)).toEqual([['longInput', field]]);
});

it.each(['', '-1', 'free', '0.0000000001', '1000001'])('rejects the price %j', (inputUsd) => {
  const read = priceTermsSchema.safeParse({ ...SHORT, inputUsd, rates: [], longInput: null });
  expect(read.error?.issues[0]?.path).toEqual(['inputUsd']);
});

it.each([
  [{ rate: 'tier:flex', value: '0.5x' }, 'rate'],
  [{ rate: 'service_tier:', value: '0.5x' }, 'rate'],
  [{ rate: 'tool_calls:telepathy', value: '10' }, 'rate'],
  [{ rate: 'tokens:audio', value: '10' }, 'rate'],
  [{ rate: 'tool_calls:web_search', value: '0.5x' }, 'value'],
  [{ rate: 'service_tier:flex', value: '0.5' }, 'value'],
  [{ rate: 'service_tier:flex', value: '1/-' }, 'value'],
  [{ rate: 'service_tier:flex', value: '1/2/3/4/5/6' }, 'value'],
  [{ rate: 'service_tier:flex', value: '1/2 >0 3/4' }, 'value'],
])('rejects the rate %o', (line, field) => {
  const read = priceTermsSchema.safeParse({ ...SHORT, longInput: null, rates: [line] });
  expect(read.error?.issues.map(({ path }) => path)).toEqual([['rates', 0, field]]);
});

it('rejects a rate that is listed twice', () => {
  const line = { rate: 'service_tier:flex', value: '0.5x' };
  const read = priceTermsSchema.safeParse({ ...SHORT, longInput: null, rates: [line, line] });
  expect(read.error?.issues.map(({ path }) => path)).toEqual([['rates', 1, 'rate']]);
});
