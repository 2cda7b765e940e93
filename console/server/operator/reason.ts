import { z } from 'zod';

/** The operator's reason for an action, stored with it. */
export const reasonSchema = z
  .string()
  .trim()
  .min(1, 'Enter a reason.')
  .max(500, 'Use at most 500 characters.');
