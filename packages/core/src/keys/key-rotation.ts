import { z } from 'zod';
import { parseUsd } from '../money/money.ts';

/** A key that is replaced can work on for so long beside its successor. */
export const MAX_OVERLAP_MS = 30 * 86_400_000;

/** How a key is replaced by one with the same scope. */
export const keyRotationSchema = z.object({
  /** When the old key stops; null: at once. */
  endsAt: z.iso.datetime({ offset: true, error: 'Enter a date and time' }).nullable(),
  /** What of the budget that is left stays with the old key until it stops. Means nothing where the key has no budget. */
  keepUsd: z
    .string()
    .trim()
    .refine((text) => parseUsd(text) !== null, 'Enter an amount in USD, such as 10 or 0.25'),
});
