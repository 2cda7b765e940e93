import { z } from 'zod';

const momentSchema = z.iso.datetime().transform((text) => new Date(text));

/** Filter of an account's audit log, for the page and the export. */
export const auditFilterSchema = z.object({
  actorUserId: z.string().max(64).optional(),
  /** An action, or the first word of several. */
  action: z
    .string()
    .regex(/^[a-z_]+(\.[a-z_]+)?$/)
    .max(64)
    .optional(),
  from: momentSchema.optional(),
  /** Up to, not including. */
  until: momentSchema.optional(),
});

export type AuditFilter = z.infer<typeof auditFilterSchema>;
