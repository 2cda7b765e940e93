import { desc, eq, lt, sql } from 'drizzle-orm';
import { unknownMembers } from '../../schema/contracts.ts';
import { inTransaction, type Connection } from '../../transaction.ts';

/** Rows that are kept for one provider, and listed: those beyond them that were not seen for longest are deleted. */
export const MAX_MEMBERS_PER_PROVIDER = 500;
/** Of these, the names that one account sent first. */
export const MAX_MEMBERS_PER_ACCOUNT = 50;

/** A member that no contract knows, as one client sent it. */
export interface UnknownMemberCount {
  provider: string;
  member: string;
  client: string;
  /** The account that sent it first. */
  accountId: string;
  requests: number;
  firstSeenAtMs: number;
  lastSeenAtMs: number;
}

/** Adds counts to what is known, and deletes what is beyond the share of its account or the bound of its provider. */
export async function addUnknownMembers(
  db: Connection,
  counts: readonly UnknownMemberCount[],
): Promise<void> {
  if (counts.length === 0) return;
  await inTransaction(db, async (tx) => {
    // Replicas that store at the same time would each count without the rows of the others.
    await tx.drizzle.execute(sql`SELECT pg_advisory_xact_lock(hashtext('tollgate unknown members'))`);
    await addCounts(tx, counts);
    await deleteExcess(tx, [...new Set(counts.map(({ provider }) => provider))]);
  });
}

async function addCounts(tx: Connection, counts: readonly UnknownMemberCount[]): Promise<void> {
  await tx.drizzle.execute(sql`
    INSERT INTO unknown_members AS known
      (provider, member, client, account_id, requests, first_seen_at, last_seen_at)
    SELECT provider, member, client, account, requests, to_timestamp(first_ms / 1000.0), to_timestamp(last_ms / 1000.0)
    FROM jsonb_to_recordset(${JSON.stringify(counts.map(toRow))}::jsonb)
      AS given (provider text, member text, client text, account text, requests bigint, first_ms float8, last_ms float8)
    ON CONFLICT (provider, member, client) DO UPDATE SET
      requests = known.requests + excluded.requests,
      first_seen_at = least(known.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)`);
}

/** Members beyond an account's share take no place from others: they do not count for the bound of the provider. */
async function deleteExcess(tx: Connection, providers: readonly string[]): Promise<void> {
  const latestFirst = sql.raw('last_seen_at DESC, requests DESC, member, client');
  await tx.drizzle.execute(sql`
    WITH ranked AS (
      SELECT provider, member, client, last_seen_at, requests, account_id IS NOT NULL
        AND row_number() OVER (PARTITION BY provider, account_id ORDER BY ${latestFirst}) > ${MAX_MEMBERS_PER_ACCOUNT}
        AS is_excess
      FROM unknown_members
      WHERE provider IN (SELECT jsonb_array_elements_text(${JSON.stringify(providers)}::jsonb))
    ), excess AS (
      SELECT provider, member, client, is_excess
        OR row_number() OVER (PARTITION BY provider, is_excess ORDER BY ${latestFirst}) > ${MAX_MEMBERS_PER_PROVIDER}
        AS is_deleted
      FROM ranked
    )
    DELETE FROM unknown_members known USING excess
    WHERE is_deleted AND known.provider = excess.provider AND known.member = excess.member
      AND known.client = excess.client`);
}

function toRow({ accountId, firstSeenAtMs, lastSeenAtMs, ...rest }: UnknownMemberCount) {
  return { ...rest, account: accountId, first_ms: firstSeenAtMs, last_ms: lastSeenAtMs };
}

/** Those of one provider, the latest first. */
export async function listUnknownMembers(db: Connection, provider: string) {
  return db.drizzle
    .select()
    .from(unknownMembers)
    .where(eq(unknownMembers.provider, provider))
    .orderBy(desc(unknownMembers.lastSeenAt), unknownMembers.member, unknownMembers.client)
    .limit(MAX_MEMBERS_PER_PROVIDER);
}

/** Those of every provider, the latest first. */
export async function listAllUnknownMembers(db: Connection) {
  return db.drizzle
    .select()
    .from(unknownMembers)
    .orderBy(
      desc(unknownMembers.lastSeenAt),
      unknownMembers.provider,
      unknownMembers.member,
      unknownMembers.client,
    )
    .limit(MAX_MEMBERS_PER_PROVIDER);
}

/** Deletes members that have not arrived since `before`. */
export async function deleteOldUnknownMembers(db: Connection, before: Date): Promise<void> {
  await db.drizzle.delete(unknownMembers).where(lt(unknownMembers.lastSeenAt, before));
}
