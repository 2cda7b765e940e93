import { USAGE_BUCKETS, type UsageBucket, type UsageSpan } from '@tollgate/db/queries/usage/report/periods';
import { timeZoneSchema } from '@tollgate/core/requests/last-days';
import { z } from 'zod';

const MAX_DAYS = 1_100;
/** Maximum number of days per interval: a chart with more points is unreadable. */
const MAX_DAYS_OF: Record<UsageBucket, number> = { hour: 14, day: 400, month: MAX_DAYS };
const DAYS_OF_MONTH = 31;
const DAY_MS = 86_400_000;

const daySchema = z.iso.date();
const spanSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('days'), days: z.int().min(1).max(MAX_DAYS) }),
  z.object({ kind: z.literal('months'), months: z.int().min(1).max(36) }),
  z.object({ kind: z.literal('dates'), from: daySchema, to: daySchema }),
]);

const GROUPINGS = ['model', 'key', 'tag', 'status'] as const;
export const groupingSchema = z.enum(GROUPINGS);

/** Which usage of an account: the span of time, its steps, and whose. */
export const usageQuerySchema = z
  .object({
    span: spanSchema,
    bucket: z.enum(USAGE_BUCKETS),
    timeZone: timeZoneSchema,
    keyId: z.string().max(64).optional(),
    model: z.string().max(200).optional(),
    /** '': keys without tags. */
    tag: z.string().max(64).optional(),
  })
  .superRefine(({ span, bucket }, context) => {
    const days = getDays(span);
    if (days < 1)
      context.addIssue({ code: 'custom', path: ['span'], message: 'The end is before the start.' });
    if (days > MAX_DAYS_OF[bucket])
      context.addIssue({
        code: 'custom',
        path: ['bucket'],
        message: `The ${bucket} interval supports at most ${MAX_DAYS_OF[bucket]} days.`,
      });
  });

export type UsageQuery = z.infer<typeof usageQuerySchema>;

/** The same as the parameters of a URL: `?days=7` or `?months=12` or `?from=2026-11-01&to=2026-11-20`. */
export const usageExportSchema = z
  .object({
    days: z.coerce.number().optional(),
    months: z.coerce.number().optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    step: z.string(),
    group: groupingSchema,
    zone: z.string(),
    key: z.string().optional(),
    model: z.string().optional(),
    tag: z.string().optional(),
  })
  .transform(({ days, months, from, to, step, group, zone, key, model, tag }): unknown => {
    const dates = { kind: 'dates', from, to };
    const lately = months === undefined ? dates : { kind: 'months', months };
    const span = days === undefined ? lately : { kind: 'days', days };
    return { span, bucket: step, timeZone: zone, groupBy: group, keyId: key, model, tag };
  })
  .pipe(usageQuerySchema.safeExtend({ groupBy: groupingSchema }));

export type UsageExportQuery = z.infer<typeof usageExportSchema>;

function getDays(span: UsageSpan): number {
  switch (span.kind) {
    case 'days':
      return span.days;
    case 'months':
      return span.months === 1 ? DAYS_OF_MONTH : (span.months - 1) * DAYS_OF_MONTH;
    case 'dates':
      return Math.round((Date.parse(span.to) - Date.parse(span.from)) / DAY_MS) + 1;
  }
}
