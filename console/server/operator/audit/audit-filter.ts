import { z } from 'zod';
import { auditFilterSchema } from '../../audit/audit-filter.ts';

/** Filter of the installation's audit log, for the page and the export. */
export const installationAuditFilterSchema = auditFilterSchema.omit({ actorUserId: true }).extend({
  /** The id of a user, or `cli`: the command line and automatic actions. */
  actor: z
    .string()
    .regex(/^(cli|user_[0-9a-z]{1,40})$/)
    .optional(),
  /** The id or the name of the subject, or the id of an account. */
  subject: z.string().trim().min(1).max(200).optional(),
});

export type InstallationAuditFilter = z.infer<typeof installationAuditFilterSchema>;
