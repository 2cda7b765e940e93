import { z } from 'zod';

export const AUDIT_SPANS = ['day', 'week', 'month'] as const;
export type AuditSpan = (typeof AUDIT_SPANS)[number];

const momentSchema = z.iso.datetime().optional().catch(undefined);

/** Fields of a period in the URL. All of them absent: all time. */
export const auditPeriodShape = {
  since: z.enum(AUDIT_SPANS).optional().catch(undefined),
  /** `from` and `until` take precedence over `since`. */
  from: momentSchema,
  until: momentSchema,
};

/** What part of an audit log is shown. */
export type AuditPeriod = z.infer<z.ZodObject<typeof auditPeriodShape>>;
