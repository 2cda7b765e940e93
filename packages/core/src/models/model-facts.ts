import { z } from 'zod';
import { MODEL_CAPABILITIES } from './model-capabilities.ts';

/** What callers name a model. */
export const modelIdSchema = z
  .string()
  .trim()
  .min(1, 'Give the model the name that callers use')
  .max(200, 'Use at most 200 characters')
  .regex(/^[^\s,]+$/, 'Use no blanks and no commas');

const tokensSchema = z
  .int('Enter a whole number')
  .min(1, 'It must be at least 1')
  .max(2_147_483_647, 'It is more than any model takes')
  .nullable();

/** What operators say of a model beside its price; checked on both sides of the wire. */
export const modelFactsSchema = z
  .object({
    /** '': the id says it. */
    title: z.string().trim().max(200, 'Use at most 200 characters'),
    /** null: not known. */
    contextTokens: tokensSchema,
    /** null: not known; what a request that names no maximum may cost is bounded by it. */
    maxOutputTokens: tokensSchema,
    capabilities: z.array(z.enum(MODEL_CAPABILITIES)).max(MODEL_CAPABILITIES.length),
    /** null: not announced. */
    retiresAt: z.iso.datetime({ offset: true }).nullable(),
  })
  .superRefine(({ contextTokens, maxOutputTokens }, context) => {
    if (contextTokens === null || maxOutputTokens === null || maxOutputTokens <= contextTokens) return;
    context.addIssue({
      code: 'custom',
      path: ['maxOutputTokens'],
      message: 'The output is a part of the context: it cannot be longer',
    });
  });

export type ModelFactsTerms = z.infer<typeof modelFactsSchema>;
