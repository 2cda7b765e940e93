import { priceTermsSchema } from '@tollgate/core/price-terms';
import { z } from 'zod';
import { priceTextsOf, priceTextsSchema, readPriceTexts } from './price-form.ts';

const tokensText = z
  .string()
  .transform((text) => (text.trim() === '' ? null : Number(text.replace(/[,\s]/g, ''))))
  .pipe(z.int('Enter a whole number').min(1, 'It must be at least 1').max(2_147_483_647).nullable());

const factsShape = {
  id: z
    .string()
    .trim()
    .min(1, 'Give the model the name that callers use')
    .max(200, 'Use at most 200 characters')
    .regex(/^[^\s,]+$/, 'Use no blanks and no commas'),
  title: z.string().trim().max(200, 'Use at most 200 characters'),
  contextTokens: tokensText,
  maxOutputTokens: tokensText,
};

const { hasLongInput, longInput, ...classTexts } = priceTextsSchema.shape;

/** A new model as it is typed: what is known of it, and its first price. */
export const modelFormSchema = z
  .object({ ...factsShape, ...classTexts, hasLongInput, longInput })
  .transform(({ id, title, contextTokens, maxOutputTokens, ...texts }) => ({
    id,
    title,
    contextTokens,
    maxOutputTokens,
    ...readPriceTexts(texts),
  }))
  .pipe(
    z.object({
      id: z.string(),
      title: z.string(),
      contextTokens: z.int().nullable(),
      maxOutputTokens: z.int().nullable(),
      ...priceTermsSchema.shape,
    }),
  );

export type ModelForm = z.input<typeof modelFormSchema>;
export type NewModel = z.output<typeof modelFormSchema>;

export const EMPTY_MODEL: ModelForm = {
  id: '',
  title: '',
  contextTokens: '',
  maxOutputTokens: '',
  ...priceTextsOf(null),
};
