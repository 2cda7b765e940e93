import { and, desc, eq, isNull, or, sql } from 'drizzle-orm';
import { auditLog } from '../../schema/audit-log.ts';
import type { Connection } from '../../transaction.ts';

export interface PersonEvent {
  id: string;
  at: Date;
  action: string;
  /** False: another person did it, such as an operator. */
  isOwn: boolean;
  detail: Record<string, unknown>;
}

interface PersonEventsQuery {
  userId: string;
  /** The `nextCursor` of the page before. */
  cursor: string | undefined;
  limit: number;
}

/** One page of what happened to a person's own login, the newest first. */
export async function listPersonEvents(
  db: Connection,
  { userId, cursor, limit }: PersonEventsQuery,
): Promise<{ events: PersonEvent[]; nextCursor: string | null }> {
  const isOwn = sql<boolean>`coalesce(${auditLog.actorUserId} = ${userId}, false)`;
  const rows = await db.drizzle
    .select({
      id: auditLog.id,
      at: auditLog.at,
      action: auditLog.action,
      isOwn,
      detail: auditLog.detail,
    })
    .from(auditLog)
    .where(
      and(
        isAboutLogin(userId),
        cursor === undefined
          ? undefined
          : sql`(${auditLog.at}, ${auditLog.id}) < (SELECT last.at, last.id FROM audit_log last WHERE last.id = ${cursor})`,
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(limit + 1);
  const events = rows.slice(0, limit);
  return { events, nextCursor: rows.length > limit ? (events.at(-1)?.id ?? null) : null };
}

/** Entries about a passkey have it as subject; what an operator does to another sign-in is not their own event. */
function isAboutLogin(userId: string) {
  return and(
    isNull(auditLog.accountId),
    sql`starts_with(${auditLog.action}, 'user.')`,
    or(
      eq(auditLog.subject, userId),
      and(eq(auditLog.actorUserId, userId), sql`NOT starts_with(${auditLog.subject}, 'user_')`),
    ),
  );
}

/** Removes addresses, devices and names from a person's events, and keeps the events. */
export async function blankPersonEvents(tx: Connection, userId: string): Promise<void> {
  await tx.drizzle.update(auditLog).set({ detail: {} }).where(isAboutLogin(userId));
}
