import { modelPatternSchema } from '@tollgate/core/models/model-pattern';
import { z } from 'zod';
import { readNumberText } from '../read-number-text.ts';

const NO_NUMBER = 'Enter a whole number';

/** The texts of the form; its result is the input of `patterns.add`. */
export const patternFormSchema = z
  .object({
    providerName: z.string(),
    pattern: z
      .string()
      .trim()
      .refine(
        (text) => modelPatternSchema.safeParse(text).success,
        'Enter the beginning of model IDs and an asterisk, such as claude-*',
      ),
    strip: z.string().trim(),
    priority: z
      .string()
      .transform((text) => readNumberText(text) ?? 0)
      .pipe(z.int(NO_NUMBER).min(-1_000, 'Must be at least -1,000').max(1_000, 'Must be at most 1,000')),
    weight: z
      .string()
      .transform((text) => readNumberText(text) ?? 1)
      .pipe(z.int(NO_NUMBER).min(1, 'Must be at least 1').max(1_000_000, 'Must be at most 1,000,000')),
  })
  .refine(({ pattern, strip }) => pattern.slice(0, -1).startsWith(strip), {
    path: ['strip'],
    message: 'Must be the beginning of the pattern',
  });

export type PatternTexts = z.input<typeof patternFormSchema>;
export type NewPattern = z.output<typeof patternFormSchema>;
