import { z } from 'zod';

/** Kinds of actions: the part before the dot. */
export const AUDIT_KINDS = ['key', 'request', 'billing', 'account', 'member', 'invitation'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

export const AUDIT_SPANS = ['day', 'week', 'month'] as const;
export type AuditSpan = (typeof AUDIT_SPANS)[number];

const momentSchema = z.iso.datetime().optional().catch(undefined);

/** Filters in the URL. Defaults (everything) are omitted. */
export const auditSearchSchema = z.object({
  /** User ID of the actor. */
  person: z
    .string()
    .regex(/^user_[0-9a-z]{1,40}$/)
    .optional()
    .catch(undefined),
  kind: z.enum(AUDIT_KINDS).optional().catch(undefined),
  since: z.enum(AUDIT_SPANS).optional().catch(undefined),
  /** `from` and `until` take precedence over `since`. */
  from: momentSchema,
  until: momentSchema,
});

export type AuditSearch = z.infer<typeof auditSearchSchema>;
