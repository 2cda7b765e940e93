import { z } from 'zod';

/** Why an operator does something; it is kept with what was done. */
export const reasonSchema = z
  .string()
  .trim()
  .min(1, 'Enter a reason.')
  .max(500, 'Use at most 500 characters.');
