import { fromLocalField } from '../../../lib/format/local-field.ts';
import { keyRotationSchema, MAX_OVERLAP_MS } from '@tollgate/core/keys/key-rotation';
import { z } from 'zod';
import { plainNumber } from '../../../lib/typed-number.ts';

export const OVERLAPS = ['none', '1h', '24h', '7d', 'on'] as const;
export type Overlap = (typeof OVERLAPS)[number];

export const OVERLAP_LABELS: Record<Overlap, string> = {
  none: 'Immediately',
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  on: 'Custom…',
};

const HOUR_MS = 3_600_000;
const SPANS_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const;

/**
 * When the old key stops.
 * @param localText value of the `datetime-local` field, used for `on`
 * @returns null for immediately; `'invalid'` if no valid date is entered
 */
export function overlapEnd(overlap: Overlap, localText: string, nowMs: number): Date | null | 'invalid' {
  if (overlap === 'none') return null;
  if (overlap !== 'on') return new Date(nowMs + SPANS_MS[overlap]);
  const iso = fromLocalField(localText);
  return iso === undefined ? 'invalid' : new Date(iso);
}

const inputSchema = z.object({
  overlap: z.enum(OVERLAPS),
  /** Value of a `datetime-local` field, used if `overlap` is `on`. */
  endsAt: z.string(),
  keepUsd: z.string(),
});

/** Parses the form into a rotation with the server's schema. */
export const rotateFormSchema = inputSchema
  .transform(({ overlap, endsAt, keepUsd }) => {
    const end = overlapEnd(overlap, endsAt, Date.now());
    const keep = plainNumber(keepUsd);
    return {
      endsAt: end instanceof Date ? end.toISOString() : end,
      keepUsd: overlap === 'none' || keep === '' ? '0' : keep,
    };
  })
  .pipe(
    keyRotationSchema.refine(({ endsAt }) => endsAt === null || isWithinReach(Date.parse(endsAt)), {
      path: ['endsAt'],
      message: 'Choose a time within the next 30 days',
    }),
  );

export type RotateForm = z.input<typeof rotateFormSchema>;
export type RotateInput = z.output<typeof rotateFormSchema>;

function isWithinReach(endMs: number): boolean {
  return endMs > Date.now() && endMs <= Date.now() + MAX_OVERLAP_MS;
}
