import { sql, type SQL } from 'drizzle-orm';
import type { Connection } from '../../transaction.ts';

/** What an operator, the command line or the system did. */
export interface InstallationAudit {
  id: string;
  at: Date;
  /** null: the command line, or an automatic action. */
  actorUserId: string | null;
  /** null: a deleted user, or no user. */
  actorEmail: string | null;
  accountId: string | null;
  /** null: it was not about an account, or the account has no name any more. */
  accountName: string | null;
  action: string;
  subject: string | null;
  /** Name of the provider, or email of the user, that it was about; null: something else, or it was removed. */
  subjectName: string | null;
  detail: Record<string, unknown>;
}

export interface InstallationAuditQuery {
  /** The id of a user, or `cli` for the command line and automatic actions. */
  actor?: string | undefined;
  /** An action (`plan.change`), or all of its kind (`plan`). */
  action?: string | undefined;
  /** The id or the name of the subject, or the id of an account. */
  subject?: string | undefined;
  /** At this moment or after it. */
  from?: Date | undefined;
  /** Before this moment. */
  until?: Date | undefined;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  limit: number;
}

/** Actions that only operators can do: they are listed also if the operator is a member of the account, or is no operator any more. */
const OPERATOR_ACTIONS = [
  'account.credit',
  'account.plan',
  'account.resume',
  'account.suspend',
  'account.view',
  'account.view_end',
  'payment.refund',
  'payment.refund_refused',
  'request.view',
  'user.sign_in_reset',
];

/** The predicate of the index `audit_log_installation`. */
const IS_OF_INSTALLATION = sql.raw(
  `(actor_user_id IS NULL OR (account_id IS NULL AND split_part(action, '.', 1) <> 'user')
    OR action IN (${OPERATOR_ACTIONS.map((action) => `'${action}'`).join(', ')}))`,
);

interface AuditRow extends Record<string, unknown> {
  id: string;
  at: string;
  actor_user_id: string | null;
  actor_email: string | null;
  account_id: string | null;
  account_name: string | null;
  action: string;
  subject: string | null;
  subject_name: string | null;
  detail: Record<string, unknown>;
}

/**
 * One page of what was done to the installation and, by operators, in accounts, the newest first. What people do in their own
 * accounts as members and to their own logins is left out.
 */
export async function listInstallationAudit(
  db: Connection,
  query: InstallationAuditQuery,
): Promise<{ entries: InstallationAudit[]; nextCursor: string | null }> {
  const rows = await db.drizzle.execute<AuditRow>(composePage(query));
  const entries = rows.slice(0, query.limit).map((row): InstallationAudit => ({
    id: row.id,
    at: new Date(row.at),
    actorUserId: row.actor_user_id,
    actorEmail: row.actor_email,
    accountId: row.account_id,
    accountName: row.account_name,
    action: row.action,
    subject: row.subject,
    subjectName: row.subject_name,
    detail: row.detail,
  }));
  return { entries, nextCursor: rows.length > query.limit ? (entries.at(-1)?.id ?? null) : null };
}

/** The query of one page, and one row more. A test reads its plan. */
export function composePage(query: InstallationAuditQuery): SQL {
  const matches = sql.join(listConditions(query), sql` AND `);
  const order = sql`ORDER BY at DESC, id DESC LIMIT ${query.limit + 1}`;
  return sql`
    WITH page AS (
      (SELECT * FROM audit_log l WHERE ${IS_OF_INSTALLATION} AND ${matches} ${order})
      UNION ALL
      (SELECT theirs.* FROM users u CROSS JOIN LATERAL (
        SELECT * FROM audit_log l
        WHERE l.actor_user_id = u.id AND NOT ${IS_OF_INSTALLATION} AND ${matches}
          AND NOT (l.account_id IS NULL AND (l.subject = u.id OR NOT starts_with(l.subject, 'user_')))
          AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id AND m.account_id = l.account_id)
        ${order}) AS theirs
      WHERE u.is_operator ${order})
    )
    SELECT l.id, l.at, l.actor_user_id, actor.email AS actor_email, l.account_id, account.name AS account_name,
      l.action, l.subject, coalesce(provider.name, person.email) AS subject_name, l.detail
    FROM page l
    LEFT JOIN users actor ON actor.id = l.actor_user_id
    LEFT JOIN accounts account ON account.id = l.account_id
    LEFT JOIN providers provider ON provider.id = l.subject
    LEFT JOIN users person ON person.id = l.subject
    ORDER BY l.at DESC, l.id DESC LIMIT ${query.limit + 1}`;
}

/** Operators, for the filter. */
export async function listOperators(db: Connection): Promise<{ id: string; email: string }[]> {
  const rows = await db.drizzle.execute<{ id: string; email: string }>(
    sql`SELECT id, email FROM users WHERE is_operator ORDER BY email LIMIT 200`,
  );
  return rows.map(({ id, email }) => ({ id, email }));
}

/** Of a row of `audit_log l`. */
function listConditions({ actor, action, subject, from, until, cursor }: InstallationAuditQuery): SQL[] {
  const conditions: (SQL | undefined)[] = [
    actor === undefined
      ? undefined
      : actor === 'cli'
        ? sql`l.actor_user_id IS NULL`
        : sql`l.actor_user_id = ${actor}`,
    action === undefined
      ? undefined
      : action.includes('.')
        ? sql`l.action = ${action}`
        : sql`split_part(l.action, '.', 1) = ${action}`,
    subject === undefined
      ? undefined
      : sql`(l.subject = ${subject} OR l.account_id = ${subject}
          OR l.subject IN (SELECT p.id FROM providers p WHERE p.name = ${subject})
          OR l.subject IN (SELECT s.id FROM users s WHERE s.email = lower(${subject}))
          OR l.detail ->> 'name' = ${subject})`,
    from && sql`l.at >= ${from.toISOString()}::timestamptz`,
    until && sql`l.at < ${until.toISOString()}::timestamptz`,
    // As a separate value: a row from a subquery would not use the index.
    cursor === undefined
      ? undefined
      : sql`(l.at, l.id) < ((SELECT last.at FROM audit_log last WHERE last.id = ${cursor}), ${cursor})`,
  ];
  return [sql`true`, ...conditions.filter((condition) => condition !== undefined)];
}
