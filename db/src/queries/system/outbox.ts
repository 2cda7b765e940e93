import { createId } from '@tollgate/core/runtime/ids';
import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm';
import { outbox } from '../../schema/outbox.ts';
import type { Connection } from '../../transaction.ts';

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

/** Queues an email in the transaction that causes it, so that neither exists without the other. */
export async function enqueueMail(db: Connection, mail: QueuedMail): Promise<void> {
  await db.drizzle.insert(outbox).values(mail);
}

/**
 * Leases the emails that are due, for `leaseMs`: no other process takes them meanwhile, and a process that dies
 * leaves them to the next one when the lease is over.
 * @returns each with the number of this attempt, from 1
 */
export async function claimMails(
  db: Connection,
  claim: { limit: number; leaseMs: number; nowMs: number },
): Promise<(QueuedMail & { attempts: number; createdAt: Date })[]> {
  const now = new Date(claim.nowMs);
  const due = db.drizzle
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(isNull(outbox.sentAt), isNotNull(outbox.bodySealed), lte(outbox.nextAttemptAt, now)))
    .orderBy(asc(outbox.nextAttemptAt))
    .limit(claim.limit)
    .for('update', { skipLocked: true });
  const rows = await db.drizzle
    .update(outbox)
    .set({
      attempts: sql`${outbox.attempts} + 1`,
      nextAttemptAt: new Date(claim.nowMs + claim.leaseMs),
    })
    .where(inArray(outbox.id, due))
    .returning();
  return rows.flatMap(({ bodySealed, ...row }) => (bodySealed === null ? [] : [{ ...row, bodySealed }]));
}

/** Records that a server has accepted an email, and deletes its content. */
export async function markMailSent(db: Connection, mail: { id: string; nowMs: number }): Promise<void> {
  await db.drizzle
    .update(outbox)
    .set({ sentAt: new Date(mail.nowMs), bodySealed: null, lastError: null })
    .where(eq(outbox.id, mail.id));
}

/** @param failure.retryAtMs null: never again, and the email's content is deleted */
export async function markMailFailed(
  db: Connection,
  failure: { id: string; error: string; retryAtMs: number | null },
): Promise<void> {
  await db.drizzle
    .update(outbox)
    .set({
      lastError: failure.error,
      ...(failure.retryAtMs === null ? { bodySealed: null } : { nextAttemptAt: new Date(failure.retryAtMs) }),
    })
    .where(eq(outbox.id, failure.id));
}

/** When the next unsent email is due; null if none waits. */
export async function findNextMailTime(db: Connection): Promise<Date | null> {
  const [row] = await db.drizzle
    .select({ at: outbox.nextAttemptAt })
    .from(outbox)
    .where(and(isNull(outbox.sentAt), isNotNull(outbox.bodySealed)))
    .orderBy(asc(outbox.nextAttemptAt))
    .limit(1);
  return row?.at ?? null;
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
