import { listAudit, type ListedAudit } from '@tollgate/db/queries/audit-list';
import { z } from 'zod';
import { memberProcedure, router } from '../trpc.ts';

/** Who did it. `operator`: of the installation; `installation`: the command line, or by itself. */
export type AuditActor =
  | { kind: 'person'; userId: string; email: string }
  | { kind: 'operator' }
  | { kind: 'gone'; userId: string }
  | { kind: 'installation' };

export interface AuditRow {
  id: string;
  at: string;
  actor: AuditActor;
  /** `key.create`, … */
  action: string;
  /** The id of what was acted on. */
  subject: string | null;
  keyName: string | null;
  /** What else was noted: texts, numbers, yes or no, lists of texts. */
  detail: Record<string, unknown>;
}

const PAGE_SIZE = 50;
const momentSchema = z.iso.datetime().transform((text) => new Date(text));

export const auditRouter = router({
  list: memberProcedure('admin')
    .input(
      z.object({
        actorUserId: z.string().max(64).optional(),
        /** An action, or the first word of several. */
        action: z
          .string()
          .regex(/^[a-z_]+(\.[a-z_]+)?$/)
          .max(64)
          .optional(),
        from: momentSchema.optional(),
        until: momentSchema.optional(),
        cursor: z.string().max(64).nullish(),
      }),
    )
    .query(async ({ ctx, input }): Promise<{ entries: AuditRow[]; nextCursor: string | null }> => {
      const page = await listAudit(ctx.deps.db, {
        ...input,
        accountId: ctx.account.id,
        cursor: input.cursor ?? undefined,
        limit: PAGE_SIZE,
      });
      return { entries: page.entries.map(toAuditRow), nextCursor: page.nextCursor };
    }),
});

function toAuditRow(entry: ListedAudit): AuditRow {
  const { id, action, subject, keyName, detail } = entry;
  return { id, at: entry.at.toISOString(), actor: actorOf(entry), action, subject, keyName, detail };
}

/** Operators act for the installation: which of them it was is for the operators' own log. */
function actorOf({ actorUserId, actorEmail, isOperator }: ListedAudit): AuditActor {
  if (actorUserId === null) return { kind: 'installation' };
  if (isOperator) return { kind: 'operator' };
  if (actorEmail === null) return { kind: 'gone', userId: actorUserId };
  return { kind: 'person', userId: actorUserId, email: actorEmail };
}
