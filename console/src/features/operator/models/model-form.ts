import { modelFactsSchema, modelIdSchema } from '@tollgate/core/models/model-facts';
import { priceTermsSchema } from '@tollgate/core/money/price-terms';
import { z } from 'zod';
import { factsTextsSchema, NO_FACTS, readFactsTexts } from './facts-form.ts';
import { getPriceTexts, priceTextsSchema, readPriceTexts } from './price-form.ts';

/** Form of a new model: details and first price. */
export const modelFormSchema = z
  .object({ id: z.string(), ...factsTextsSchema.shape, ...priceTextsSchema.shape })
  .transform((texts) => ({ id: texts.id, ...readFactsTexts(texts), ...readPriceTexts(texts) }))
  .pipe(z.object({ id: modelIdSchema }).and(modelFactsSchema).and(priceTermsSchema));

export type ModelForm = z.input<typeof modelFormSchema>;
export type NewModel = z.output<typeof modelFormSchema>;

export const EMPTY_MODEL: ModelForm = { id: '', ...NO_FACTS, ...getPriceTexts(null) };
