import { and, desc, eq, isNotNull, isNull, lt, type SQL } from 'drizzle-orm';
import { outbox } from '../../schema/outbox.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

export const MAIL_STATES = ['all', 'waiting', 'sent', 'given_up'] as const;
type MailState = (typeof MAIL_STATES)[number];

/** An email without its content, which carries codes and links. */
export interface OutboxMail {
  id: string;
  recipient: string;
  subject: string;
  state: Exclude<MailState, 'all'>;
  createdAt: Date;
  attempts: number;
  nextAttemptAt: Date;
  sentAt: Date | null;
  lastError: string | null;
}

/** One page of all emails, the newest first. */
export async function listOutbox(
  db: Connection,
  page: { state: MailState; cursor?: string | undefined; limit: number },
): Promise<{ mails: OutboxMail[]; nextCursor: string | null }> {
  // Ids sort by their time of making.
  const rows = await db.drizzle
    .select()
    .from(outbox)
    .where(and(isInState(page.state), page.cursor === undefined ? undefined : lt(outbox.id, page.cursor)))
    .orderBy(desc(outbox.id))
    .limit(page.limit + 1);
  const mails = rows.slice(0, page.limit).map(({ bodySealed, ...mail }): OutboxMail => {
    if (mail.sentAt !== null) return { ...mail, state: 'sent' };
    return { ...mail, state: bodySealed === null ? 'given_up' : 'waiting' };
  });
  return { mails, nextCursor: rows.length > page.limit ? (mails.at(-1)?.id ?? null) : null };
}

/**
 * Retries a waiting email now.
 * @returns false if it was sent, or has failed and was deleted
 */
export async function retryMail(
  db: Connection,
  input: { id: string; now: Date; actorUserId: string },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const due = await tx.drizzle
      .update(outbox)
      .set({ nextAttemptAt: input.now })
      .where(and(eq(outbox.id, input.id), isInState('waiting')))
      .returning({ id: outbox.id });
    if (due.length === 0) return false;
    await recordAudit(tx, { actorUserId: input.actorUserId, action: 'mail.retry', subject: input.id });
    return true;
  });
}

function isInState(state: MailState): SQL | undefined {
  switch (state) {
    case 'all':
      return undefined;
    case 'waiting':
      return and(isNull(outbox.sentAt), isNotNull(outbox.bodySealed));
    case 'sent':
      return isNotNull(outbox.sentAt);
    case 'given_up':
      return and(isNull(outbox.sentAt), isNull(outbox.bodySealed));
  }
}
