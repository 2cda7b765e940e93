import { listOutbox, MAIL_STATES, retryMail, type OutboxMail } from '@tollgate/db/queries/operator/mails';
import { z } from 'zod';
import { deny } from '../denial.ts';
import { operatorProcedure, router } from '../trpc.ts';

/** An email without its content. */
export interface OutboxMailRow {
  id: string;
  recipient: string;
  subject: string;
  state: OutboxMail['state'];
  createdAt: string;
  attempts: number;
  sentAt: string | null;
  lastError: string | null;
}

export const operatorMailsRouter = router({
  /** `isKept`: this installation sends none, and keeps them for its mailbox. */
  list: operatorProcedure
    .input(
      z.object({
        state: z.enum(MAIL_STATES).default('all'),
        cursor: z.string().max(64).nullish(),
        limit: z.int().min(1).max(100).default(50),
      }),
    )
    .query(
      async ({
        ctx,
        input,
      }): Promise<{ mails: OutboxMailRow[]; nextCursor: string | null; isKept: boolean }> => {
        const page = { ...input, cursor: input.cursor ?? undefined };
        const { mails, nextCursor } = await listOutbox(ctx.deps.db, page);
        return { mails: mails.map(toRow), nextCursor, isKept: ctx.deps.settings.hasMailbox };
      },
    ),

  /** Tries an email that waits once more, now. */
  retry: operatorProcedure
    .input(z.object({ mailId: z.string().max(64) }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      if (!(await retryMail(ctx.deps.db, { id: input.mailId, actorUserId: ctx.session.user.id })))
        throw deny('BAD_REQUEST', 'This email was sent or has failed. Its content is no longer stored.');
      ctx.deps.onMailQueued();
    }),
});

function toRow(mail: OutboxMail): OutboxMailRow {
  return {
    ...mail,
    createdAt: mail.createdAt.toISOString(),
    sentAt: mail.sentAt?.toISOString() ?? null,
  };
}
