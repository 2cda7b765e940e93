import { and, desc, eq, gte, lt, sql, type SQL } from 'drizzle-orm';
import { memberships } from '../../schema/accounts.ts';
import { apiKeys } from '../../schema/api-keys.ts';
import { auditLog } from '../../schema/audit-log.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';

export interface ListedAudit {
  id: string;
  at: Date;
  /** null: no member of the account: the command line, or an automatic action. */
  actorUserId: string | null;
  /** null: a deleted user, or no user. */
  actorEmail: string | null;
  /** True: an operator of the installation, who is not a member of the account. */
  isOperator: boolean;
  action: string;
  subject: string | null;
  /** The name of the key that it was about; null: it was about something else. */
  keyName: string | null;
  detail: Record<string, unknown>;
}

export interface AuditQuery {
  accountId: string;
  actorUserId?: string | undefined;
  /** An action (`key.create`), or all of its kind (`key`). */
  action?: string | undefined;
  /** At this moment or after it. */
  from?: Date | undefined;
  /** Before this moment. */
  until?: Date | undefined;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  limit: number;
}

/** One page of what was done in an account, the newest first. */
export async function listAudit(
  db: Connection,
  query: AuditQuery,
): Promise<{ entries: ListedAudit[]; nextCursor: string | null }> {
  const isMember = sql<boolean>`${memberships.role} IS NOT NULL`;
  const rows = await db.drizzle
    .select({
      id: auditLog.id,
      at: auditLog.at,
      actorUserId: auditLog.actorUserId,
      actorEmail: users.email,
      isOperator: sql<boolean>`coalesce(${users.isOperator}, false) AND NOT ${isMember}`,
      action: auditLog.action,
      subject: auditLog.subject,
      keyName: apiKeys.name,
      detail: auditLog.detail,
    })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.actorUserId))
    .leftJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.accountId, query.accountId)))
    .leftJoin(apiKeys, and(eq(apiKeys.id, auditLog.subject), eq(apiKeys.accountId, query.accountId)))
    .where(
      and(
        eq(auditLog.accountId, query.accountId),
        query.actorUserId === undefined ? undefined : eq(auditLog.actorUserId, query.actorUserId),
        isOfAction(query.action),
        query.from === undefined ? undefined : gte(auditLog.at, query.from),
        query.until === undefined ? undefined : lt(auditLog.at, query.until),
        isAfter(query),
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(query.limit + 1);
  const entries = rows.slice(0, query.limit);
  return { entries, nextCursor: rows.length > query.limit ? (entries.at(-1)?.id ?? null) : null };
}

function isOfAction(action: string | undefined): SQL | undefined {
  if (action === undefined) return undefined;
  if (action.includes('.')) return eq(auditLog.action, action);
  return sql`split_part(${auditLog.action}, '.', 1) = ${action}`;
}

/**
 * The cursor is an entry's id; its time is read from the row, since a Date would cut the microseconds off, and as a
 * separate value: a row from a subquery would not use the index.
 */
function isAfter({ accountId, cursor }: AuditQuery): SQL | undefined {
  if (cursor === undefined) return undefined;
  return sql`(${auditLog.at}, ${auditLog.id}) < (
    (SELECT last.at FROM audit_log last WHERE last.id = ${cursor} AND last.account_id = ${accountId}), ${cursor})`;
}
