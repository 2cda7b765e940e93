import { z } from 'zod';
import { MODEL_CAPABILITIES } from './model-capabilities.ts';

/** Model ID in requests. */
export const modelIdSchema = z
  .string()
  .trim()
  .min(1, 'Enter the model ID used in requests')
  .max(200, 'Use at most 200 characters')
  .regex(/^[^\s,*]+$/, 'Do not use spaces, commas or asterisks');

const tokensSchema = z
  .int('Enter a whole number')
  .min(1, 'Must be at least 1')
  .max(2_147_483_647, 'Must be at most 2,147,483,647')
  .nullable();

/**
 * Facts of a model, other than its price, as operators enter them; validated by client and server. This is the one list of
 * facts: every place that handles them has a `Record<ModelFactsField, …>` or a function that the compiler checks against it.
 */
export const modelFactsSchema = z
  .object({
    /** Empty: use the ID. */
    title: z.string().trim().max(200, 'Use at most 200 characters'),
    /** null: unknown. */
    contextTokens: tokensSchema,
    /** Bounds the cost of requests without a maximum; null: unknown. */
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
      message: 'Max output cannot exceed the context window',
    });
  });

export type ModelFactsTerms = z.infer<typeof modelFactsSchema>;
export type ModelFactsField = keyof ModelFactsTerms;

/** All facts, in the order of the schema. */
export const MODEL_FACTS_FIELDS: readonly ModelFactsField[] = modelFactsSchema.keyof().options;
