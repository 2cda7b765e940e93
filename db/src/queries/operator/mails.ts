import { and, desc, eq, isNotNull, isNull, lt, type SQL } from 'drizzle-orm';
import { outbox } from '../../schema/outbox.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';
import { queueJobNow } from '../jobs/queue-job.ts';

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
  input: { id: string; actorUserId: string },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [waiting] = await tx.drizzle
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(eq(outbox.id, input.id), isInState('waiting')))
      .for('update');
    if (waiting === undefined) return false;
    await queueJobNow(tx, { name: 'deliver-mail', key: input.id, payload: { mailId: input.id } });
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
