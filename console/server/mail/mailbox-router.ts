import { findMail, listMails } from '@tollgate/db/queries/system/outbox';
import { z } from 'zod';
import { openMail } from '@tollgate/mail/queue-mail';
import { notFound } from '../denial.ts';
import { mayUseLocalTools } from '../auth/local-tools.ts';
import { publicProcedure, router } from '../trpc.ts';

export interface MailHeadingRow {
  id: string;
  recipient: string;
  subject: string;
  createdAt: string;
}

const PAGE_SIZE = 50;

/** As if it did not exist, except with the cookie of the startup link and for operators. */
const mailboxProcedure = publicProcedure.use(async ({ ctx, next }) => {
  if (!ctx.deps.settings.hasMailbox || !mayUseLocalTools(ctx)) throw notFound('page');
  return next();
});

export const mailboxRouter = router({
  list: mailboxProcedure
    .input(z.object({ cursor: z.string().max(64).nullish() }))
    .query(async ({ ctx, input }): Promise<{ mails: MailHeadingRow[]; nextCursor: string | null }> => {
      const page = await listMails(ctx.deps.db, { cursor: input.cursor ?? undefined, limit: PAGE_SIZE });
      const mails = page.mails.map((mail) => ({ ...mail, createdAt: mail.createdAt.toISOString() }));
      return { mails, nextCursor: page.nextCursor };
    }),

  get: mailboxProcedure
    .input(z.object({ id: z.string().max(64) }))
    .query(async ({ ctx, input }): Promise<MailHeadingRow & { text: string; html: string }> => {
      const mail = await findMail(ctx.deps.db, input.id);
      if (mail === null) throw notFound('email');
      const { bodySealed: _, ...heading } = mail;
      return { ...heading, createdAt: mail.createdAt.toISOString(), ...openMail(ctx.deps.sealer, mail) };
    }),
});
