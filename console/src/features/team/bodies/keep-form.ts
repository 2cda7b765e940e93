import { bodyRetentionSchema } from '@tollgate/core/requests/kept-bodies';
import { z } from 'zod';

/** A number of days as someone types it. */
export const keepFormSchema = z.object({
  retentionDays: z
    .string()
    .trim()
    // What is no number becomes one that the schema of the server refuses.
    .transform((text) => (/^\d{1,4}$/.test(text) ? Number(text) : 0))
    .pipe(bodyRetentionSchema),
});
