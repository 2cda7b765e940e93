import { z } from 'zod';
import { momentOption } from './moment-option.ts';

const UNIT_MS = { h: 3_600_000, d: 86_400_000 } as const;
const SPAN = /^([1-9]\d{0,4})([hd])$/;

/** Parses an expiry: a time, or a duration from now such as `30d` or `12h`. */
export const expiryOption = z.union(
  [
    z
      .string()
      .regex(SPAN)
      .transform((text) => {
        const unit = text.endsWith('h') ? UNIT_MS.h : UNIT_MS.d;
        return { afterMs: Number.parseInt(text, 10) * unit };
      }),
    momentOption.transform((at) => ({ at })),
  ],
  { error: 'must be a duration such as 30d or 12h, a date such as 2027-01-31, or a time with a UTC offset' },
);

/** @param nowMs start of a duration */
export function resolveExpiry(expiry: z.infer<typeof expiryOption>, nowMs: number): Date {
  return 'at' in expiry ? expiry.at : new Date(nowMs + expiry.afterMs);
}
