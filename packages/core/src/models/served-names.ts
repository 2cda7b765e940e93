import { z } from 'zod';

const MAX_NAMES = 20;

/** Other names that a provider may report for the model of a route: responses with them are billed as requested. */
export const servedNamesSchema = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'Enter a model name')
      .max(200, 'Use at most 200 characters')
      .regex(/^[^\s,]+$/, 'Do not use spaces or commas inside a name'),
  )
  .max(MAX_NAMES, `Use at most ${MAX_NAMES} names`)
  .transform((names) => [...new Set(names)]);

/** Splits `a, b`, as typed. */
export function splitServedNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
