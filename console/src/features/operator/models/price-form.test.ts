import { expect, it } from 'vitest';
import { priceFormSchema, getPriceTexts } from './price-form.ts';

const EMPTY = getPriceTexts(null);

it('parses prices: empty fields fall back, signs and commas are dropped', () => {
  const read = priceFormSchema.parse({ ...EMPTY, inputUsd: '$3', outputUsd: '1,000.5' });
  expect(read).toEqual({
    inputUsd: '3',
    outputUsd: '1000.5',
    cacheReadUsd: null,
    cacheWriteUsd: null,
    cacheWrite1hUsd: null,
    longInput: null,
    rates: [],
  });
  expect(priceFormSchema.parse(getPriceTexts(read))).toEqual(read);
});

it('keeps long-input prices and rejects invalid ones at their field', () => {
  const longInput = { ...EMPTY.longInput, inputUsd: '6', outputUsd: '20', aboveInputTokens: '200,000' };
  const texts = { ...EMPTY, inputUsd: '3', outputUsd: '15', hasLongInput: true, longInput };
  const read = priceFormSchema.parse(texts);
  expect(read.longInput).toMatchObject({ inputUsd: '6', aboveInputTokens: 200_000 });
  expect(priceFormSchema.parse(getPriceTexts(read))).toEqual(read);
  const cheaper = priceFormSchema.safeParse({ ...texts, longInput: { ...longInput, outputUsd: '1' } });
  expect(cheaper.error?.issues[0]?.path).toEqual(['longInput', 'outputUsd']);
  expect(priceFormSchema.safeParse(EMPTY).error?.issues[0]?.path).toEqual(['inputUsd']);
});

it('parses additional rates from lines and rejects invalid ones', () => {
  const texts = { ...EMPTY, inputUsd: '3', outputUsd: '15' };
  const rates = 'service_tier:flex = 0.5x\n\n tool_calls:web_search=$10 \nspeed:fast = 30/150/3';
  const read = priceFormSchema.parse({ ...texts, rates });
  expect(read.rates).toEqual([
    { rate: 'service_tier:flex', value: '0.5x' },
    { rate: 'tool_calls:web_search', value: '10' },
    { rate: 'speed:fast', value: '30/150/3' },
  ]);
  expect(priceFormSchema.parse(getPriceTexts(read))).toEqual(read);
  const wrong = priceFormSchema.safeParse({ ...texts, rates: 'speed:fast = 30/150\nspeed:slow' });
  expect(wrong.error?.issues[0]?.path).toEqual(['rates', 1, 'value']);
});
