import { listAudit, type ListedAudit } from '@tollgate/db/queries/audit/list-audit';
import { z } from 'zod';
import { getActor, type AuditActor } from './audit-actor.ts';
import { auditFilterSchema } from './audit-filter.ts';
import { memberProcedure, router } from '../trpc.ts';

export interface AuditRow {
  id: string;
  at: string;
  actor: AuditActor;
  /** `key.create`, … */
  action: string;
  /** The id of the object of the action. */
  subject: string | null;
  keyName: string | null;
  /** What else was noted: texts, numbers, yes or no, lists of texts. */
  detail: Record<string, unknown>;
}

const PAGE_SIZE = 50;

export const auditRouter = router({
  list: memberProcedure('admin')
    .input(auditFilterSchema.extend({ cursor: z.string().max(64).nullish() }))
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
  return { id, at: entry.at.toISOString(), actor: getActor(entry), action, subject, keyName, detail };
}
