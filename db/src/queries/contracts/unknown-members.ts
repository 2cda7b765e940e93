import { desc, eq, lt, sql } from 'drizzle-orm';
import { unknownMembers } from '../../schema/contracts.ts';
import type { Connection } from '../../transaction.ts';

/** Rows that are kept for one provider; a member beyond them is not listed. */
const MAX_ROWS_PER_PROVIDER = 500;
/** The most that are ever shown. */
const MAX_LISTED = 500;

/** A member that no contract knows, as one client sent it. */
export interface UnknownMemberCount {
  provider: string;
  member: string;
  client: string;
  requests: number;
  firstSeenAtMs: number;
  lastSeenAtMs: number;
}

/** Adds counts to what is known, all in one statement. */
export async function addUnknownMembers(
  db: Connection,
  counts: readonly UnknownMemberCount[],
): Promise<void> {
  if (counts.length === 0) return;
  await db.drizzle.execute(sql`
    INSERT INTO unknown_members AS known (provider, member, client, requests, first_seen_at, last_seen_at)
    SELECT provider, member, client, requests, to_timestamp(first_ms / 1000.0), to_timestamp(last_ms / 1000.0)
    FROM jsonb_to_recordset(${JSON.stringify(counts.map(toRow))}::jsonb)
      AS given (provider text, member text, client text, requests bigint, first_ms float8, last_ms float8)
    WHERE (SELECT count(*) FROM unknown_members kept WHERE kept.provider = given.provider) < ${MAX_ROWS_PER_PROVIDER}
      OR EXISTS (SELECT FROM unknown_members kept
        WHERE kept.provider = given.provider AND kept.member = given.member AND kept.client = given.client)
    ORDER BY provider, member, client
    ON CONFLICT (provider, member, client) DO UPDATE SET
      requests = known.requests + excluded.requests,
      first_seen_at = least(known.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)`);
}

function toRow({ firstSeenAtMs, lastSeenAtMs, ...rest }: UnknownMemberCount) {
  return { ...rest, first_ms: firstSeenAtMs, last_ms: lastSeenAtMs };
}

/** Those of one provider, the latest first. */
export async function listUnknownMembers(db: Connection, provider: string) {
  return db.drizzle
    .select()
    .from(unknownMembers)
    .where(eq(unknownMembers.provider, provider))
    .orderBy(desc(unknownMembers.lastSeenAt), unknownMembers.member, unknownMembers.client)
    .limit(MAX_LISTED);
}

/** Forgets members that have not arrived since `before`. */
export async function deleteOldUnknownMembers(db: Connection, before: Date): Promise<void> {
  await db.drizzle.delete(unknownMembers).where(lt(unknownMembers.lastSeenAt, before));
}
