import { z } from 'zod';
import { auditPeriodShape } from '../../components/audit/period.ts';

/** Kinds of actions: the part before the dot. */
export const AUDIT_KINDS = ['key', 'request', 'billing', 'account', 'member', 'invitation'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** Filters in the URL. Defaults (everything) are omitted. */
export const auditSearchSchema = z.object({
  /** User ID of the actor. */
  person: z
    .string()
    .regex(/^user_[0-9a-z]{1,40}$/)
    .optional()
    .catch(undefined),
  kind: z.enum(AUDIT_KINDS).optional().catch(undefined),
  ...auditPeriodShape,
});

export type AuditSearch = z.infer<typeof auditSearchSchema>;
