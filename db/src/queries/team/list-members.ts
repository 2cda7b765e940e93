import type { Role } from '@tollgate/core/people/roles';
import { and, asc, eq, sql } from 'drizzle-orm';
import { memberships } from '../../schema/accounts.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';

export interface Member {
  userId: string;
  email: string;
  role: Role;
  joinedAt: Date;
}

/** From the most to the least rights. */
const RANK = sql`array_position(ARRAY['owner', 'admin', 'member', 'viewer'], ${memberships.role})`;

/**
 * One page of an account's members: the owner, then by rights and email.
 * @param page.cursor the `nextCursor` of the page before
 */
export async function listMembers(
  db: Connection,
  page: { accountId: string; cursor?: string | undefined; limit: number },
): Promise<{ members: Member[]; nextCursor: string | null }> {
  const rows = await db.drizzle
    .select({
      userId: users.id,
      email: users.email,
      role: memberships.role,
      joinedAt: memberships.createdAt,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.accountId, page.accountId), isAfter(page)))
    .orderBy(RANK, asc(users.email), asc(users.id))
    .limit(page.limit + 1);
  const members = rows.slice(0, page.limit);
  return { members, nextCursor: rows.length > page.limit ? (members.at(-1)?.userId ?? null) : null };
}

/** The cursor is a person's id; their sort position is read from their row. */
function isAfter({ accountId, cursor }: { accountId: string; cursor?: string | undefined }) {
  if (cursor === undefined) return undefined;
  return sql`(${RANK}, ${users.email}, ${users.id}) > (
    SELECT array_position(ARRAY['owner', 'admin', 'member', 'viewer'], last.role), person.email, person.id
    FROM memberships last JOIN users person ON person.id = last.user_id
    WHERE last.user_id = ${cursor} AND last.account_id = ${accountId})`;
}
