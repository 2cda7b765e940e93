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
  on: 'On…',
};

const HOUR_MS = 3_600_000;
const SPANS_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS, '7d': 7 * 24 * HOUR_MS } as const;

/**
 * The moment at which the old key stops.
 * @param localText what a `datetime-local` field holds, for `on`
 * @returns null: at once; `'invalid'` where no moment has been given yet
 */
export function overlapEnd(overlap: Overlap, localText: string, nowMs: number): Date | null | 'invalid' {
  if (overlap === 'none') return null;
  if (overlap !== 'on') return new Date(nowMs + SPANS_MS[overlap]);
  const date = new Date(localText);
  return Number.isNaN(date.getTime()) ? 'invalid' : date;
}

const inputSchema = z.object({
  overlap: z.enum(OVERLAPS),
  /** Text of a `datetime-local` field; it counts where `overlap` is `on`. */
  endsAt: z.string(),
  keepUsd: z.string(),
});

/** The form's texts, read as the server reads a rotation and checked by its schema. */
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
