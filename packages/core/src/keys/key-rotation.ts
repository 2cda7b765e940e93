import { z } from 'zod';
import { parseUsd } from '../money/money.ts';

/** Maximum overlap of a rotated key with the key that replaces it. */
export const MAX_OVERLAP_MS = 30 * 86_400_000;

/** Options for rotating a key; the new key has the same scope. */
export const keyRotationSchema = z.object({
  /** When the old key stops; null: immediately. */
  endsAt: z.iso.datetime({ offset: true, error: 'Enter a date and time' }).nullable(),
  /** Part of the remaining budget left on the old key until it stops. Ignored if the key has no budget. */
  keepUsd: z
    .string()
    .trim()
    .refine((text) => parseUsd(text) !== null, 'Enter an amount in USD, such as 10 or 0.25'),
});
