import { retentionSchema, type RetentionKind } from '@tollgate/core/requests/retention';
import { z } from 'zod';

/** A typed number of days. */
export function keepFormSchema(kind: RetentionKind) {
  return z.object({
    retentionDays: z
      .string()
      .trim()
      // Invalid numbers become a value that the server schema refuses.
      .transform((text) => (/^\d{1,4}$/.test(text) ? Number(text) : 0))
      .pipe(retentionSchema(kind)),
  });
}
