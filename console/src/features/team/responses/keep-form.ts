import { responseRetentionSchema } from '@tollgate/core/requests/stored-responses';
import { z } from 'zod';

/** A typed number of days. */
export const keepFormSchema = z.object({
  retentionDays: z
    .string()
    .trim()
    // Invalid numbers become a value that the server schema refuses.
    .transform((text) => (/^\d{1,4}$/.test(text) ? Number(text) : 0))
    .pipe(responseRetentionSchema),
});
