import { z } from 'zod';
import { isPrintable } from '../text/printable.ts';
import { requestFilterSchema } from './request-filter.ts';

/** The filters of a saved view. The time zone is that of the reader. */
export const savedFilterSchema = requestFilterSchema.omit({ zone: true });
export type SavedFilter = z.infer<typeof savedFilterSchema>;

export const viewNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(60, 'At most 60 characters')
  .refine(isPrintable, 'Use one line of printable characters');

export const viewIdSchema = z.string().regex(/^view_[0-9A-Za-z]{1,60}$/);

/** Views of one person in an account, and views that the account shares. */
export const MAX_VIEWS = 50;
