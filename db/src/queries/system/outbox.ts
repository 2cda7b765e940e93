import { createId } from '@tollgate/core/runtime/ids';
import { and, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { outbox } from '../../schema/outbox.ts';
import type { Connection } from '../../transaction.ts';
import { queueJob } from '../jobs/queue-job.ts';

export interface QueuedMail {
  id: string;
  recipient: string;
  subject: string;
  bodySealed: Buffer;
}

export interface MailHeading {
  id: string;
  recipient: string;
  subject: string;
  createdAt: Date;
}

/** The id of a new email, needed first because its body is sealed for it. */
export function createMailId(): string {
  return createId('mail');
}

/** Stores an email and queues its delivery, in the transaction that causes it, so that neither exists without the other. */
export async function enqueueMail(tx: Connection, mail: QueuedMail): Promise<void> {
  await tx.drizzle.insert(outbox).values(mail);
  await queueJob(tx, { name: 'deliver-mail', key: mail.id, payload: { mailId: mail.id } });
}

/**
 * Counts an attempt to send an email.
 * @returns null if it was sent, has failed or was deleted; otherwise with the number of this attempt, starting with 1
 */
export async function startAttempt(
  db: Connection,
  id: string,
): Promise<(QueuedMail & { attempts: number; createdAt: Date }) | null> {
  const [row] = await db.drizzle
    .update(outbox)
    .set({ attempts: sql`${outbox.attempts} + 1` })
    .where(and(eq(outbox.id, id), isNull(outbox.sentAt), isNotNull(outbox.bodySealed)))
    .returning();
  if (row === undefined || row.bodySealed === null) return null;
  return { ...row, bodySealed: row.bodySealed };
}

/** Records that a server has accepted an email, and deletes its content. */
export async function markMailSent(db: Connection, mail: { id: string; nowMs: number }): Promise<void> {
  await db.drizzle
    .update(outbox)
    .set({ sentAt: new Date(mail.nowMs), bodySealed: null, lastError: null })
    .where(eq(outbox.id, mail.id));
}

/** @param failure.isFinal true: the email is not sent again, and its content is deleted */
export async function markMailFailed(
  db: Connection,
  failure: { id: string; error: string; isFinal: boolean },
): Promise<void> {
  await db.drizzle
    .update(outbox)
    .set({ lastError: failure.error, ...(failure.isFinal && { bodySealed: null }) })
    .where(eq(outbox.id, failure.id));
}

/** One page of the emails that are kept for the mailbox, the newest first. */
export async function listMails(
  db: Connection,
  page: { cursor?: string | undefined; limit: number },
): Promise<{ mails: MailHeading[]; nextCursor: string | null }> {
  // Ids sort by their time of making.
  const rows = await db.drizzle
    .select({
      id: outbox.id,
      recipient: outbox.recipient,
      subject: outbox.subject,
      createdAt: outbox.createdAt,
    })
    .from(outbox)
    .where(
      and(isNotNull(outbox.bodySealed), page.cursor === undefined ? undefined : lt(outbox.id, page.cursor)),
    )
    .orderBy(desc(outbox.id))
    .limit(page.limit + 1);
  const mails = rows.slice(0, page.limit);
  return { mails, nextCursor: rows.length > page.limit ? (mails.at(-1)?.id ?? null) : null };
}

/** @returns null if there is no such email, or it was sent and deleted */
export async function findMail(
  db: Connection,
  id: string,
): Promise<(MailHeading & { bodySealed: Buffer }) | null> {
  const [row] = await db.drizzle
    .select({
      id: outbox.id,
      recipient: outbox.recipient,
      subject: outbox.subject,
      createdAt: outbox.createdAt,
      bodySealed: outbox.bodySealed,
    })
    .from(outbox)
    .where(eq(outbox.id, id));
  if (row === undefined || row.bodySealed === null) return null;
  return { ...row, bodySealed: row.bodySealed };
}

/** Deletes the emails that are older than `before`, sent or not. */
export async function deleteOldMails(db: Connection, before: Date): Promise<void> {
  await db.drizzle.delete(outbox).where(lt(outbox.createdAt, before));
}
