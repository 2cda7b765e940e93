import { z } from 'zod';
import { parseMultiplier } from '../money/multiplier.ts';

/** What an operator knows about the provider of a route; validated by client and server. */
export const routeTermsSchema = z.object({
  /** null: that of the model. */
  contextTokens: z
    .int('Enter a whole number')
    .min(1, 'Must be at least 1')
    .max(2_147_483_647, 'Must be at most 2,147,483,647')
    .nullable(),
  /** Cost at the provider relative to the price of the model: `0.8`. */
  costMultiplier: z
    .string()
    .trim()
    .refine(
      (text) => parseMultiplier(text) !== null,
      'Enter a factor from 0 to 100 with at most 6 decimals, such as 0.8',
    ),
});

export type RouteTerms = z.infer<typeof routeTermsSchema>;
