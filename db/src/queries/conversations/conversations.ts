import { and, eq, sql, type SQL } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { conversations } from '../../schema/conversations.ts';
import { replicas } from '../../schema/ledger.ts';
import type { Connection } from '../../transaction.ts';
import { getRetentionCutoff } from '../retention/retention-setting.ts';

export interface ConversationPlace {
  accountId: string;
  id: string;
}

export interface ConversationQuery extends ConversationPlace {
  now: Date;
}

export interface ConversationRow {
  createdAt: Date;
  metadataSealed: Buffer;
  /** Of all items, decompressed, in bytes. */
  size: number;
}

/** Stores a conversation without items, only if its account stores responses. @returns false if it was not stored */
export async function insertConversation(
  db: Connection,
  { accountId, id, now, metadata }: ConversationQuery & { metadata: Buffer },
): Promise<boolean> {
  const at = now.toISOString();
  const inserted = await db.drizzle.execute(sql`
    WITH keeping AS (
      SELECT id FROM ${accounts} WHERE id = ${accountId} AND responses_kept_since <= ${at}::timestamptz FOR SHARE
    )
    INSERT INTO ${conversations} (account_id, id, created_at, updated_at, metadata_sealed, bytes)
    SELECT id, ${id}, ${at}::timestamptz, ${at}::timestamptz, decode(${metadata.toString('base64')}, 'base64'),
      ${metadata.length}::bigint
    FROM keeping`);
  return inserted.count === 1;
}

/** @returns null if it does not exist, or its retention is over and it waits to be deleted */
export async function findConversation(
  db: Connection,
  query: ConversationQuery,
): Promise<ConversationRow | null> {
  const { createdAt, metadataSealed, size } = conversations;
  const [row] = await db.drizzle
    .select({ createdAt, metadataSealed, size })
    .from(conversations)
    .innerJoin(accounts, eq(accounts.id, conversations.accountId))
    .where(
      and(isAt(query), sql`${conversations.updatedAt} >= ${getRetentionCutoff('responses', query.now)}`),
    );
  return row ?? null;
}

/** @returns false if it does not exist */
export async function setMetadata(
  db: Connection,
  { accountId, id, now, metadata }: ConversationQuery & { metadata: Buffer },
): Promise<boolean> {
  const updated = await db.drizzle.execute(sql`
    UPDATE ${conversations} SET metadata_sealed = decode(${metadata.toString('base64')}, 'base64'),
      bytes = bytes - octet_length(metadata_sealed) + ${metadata.length}::bigint, updated_at = ${now.toISOString()}::timestamptz
    WHERE account_id = ${accountId} AND id = ${id}`);
  return updated.count === 1;
}

/** @returns false if it did not exist */
export async function deleteConversation(db: Connection, place: ConversationPlace): Promise<boolean> {
  const deleted = await db.drizzle
    .delete(conversations)
    .where(isAt(place))
    .returning({ id: conversations.id });
  return deleted.length > 0;
}

/**
 * Reserves a conversation for one request, until `unlockConversation`, or until its replica is stale.
 * @param lock its `silentForMs`: a replica without a heartbeat for so long is stale
 * @returns false if another request has it
 */
export async function lockConversation(
  db: Connection,
  place: ConversationPlace,
  lock: { requestId: string; replicaId: string; silentForMs: number },
): Promise<boolean> {
  const locked = await db.drizzle
    .update(conversations)
    .set({ lockedBy: lock.requestId, lockedReplica: lock.replicaId })
    .where(and(isAt(place), isUnlocked(lock.silentForMs)))
    .returning({ id: conversations.id });
  return locked.length > 0;
}

export async function unlockConversation(
  db: Connection,
  place: ConversationPlace,
  requestId: string,
): Promise<void> {
  await db.drizzle
    .update(conversations)
    .set({ lockedBy: null, lockedReplica: null })
    .where(and(isAt(place), eq(conversations.lockedBy, requestId)));
}

/** True if no request of a process that lives has the conversation. */
export function isUnlocked(silentForMs: number): SQL {
  return sql`(${conversations.lockedBy} IS NULL OR NOT EXISTS (
    SELECT 1 FROM ${replicas} WHERE ${replicas.id} = ${conversations.lockedReplica}
      AND ${replicas.heartbeatAt} > now() - make_interval(secs => ${silentForMs / 1000})))`;
}

function isAt({ accountId, id }: ConversationPlace): SQL | undefined {
  return and(eq(conversations.accountId, accountId), eq(conversations.id, id));
}
