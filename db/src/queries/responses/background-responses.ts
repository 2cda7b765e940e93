import { and, eq, sql } from 'drizzle-orm';
import { backgroundResponses } from '../../schema/background-responses.ts';
import { replicas } from '../../schema/ledger.ts';
import { storedResponses } from '../../schema/stored-responses.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { passBytes } from './pass-bytes.ts';
import { insertResponse, type SealedResponse } from './stored-responses.ts';

/** A response that runs in the background. */
export interface BackgroundPlace {
  accountId: string;
  id: string;
}

/** Stores a response that begins to run. @returns false as `insertResponse` does */
export function startBackground(db: Connection, row: SealedResponse, replicaId: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await insertResponse(tx, row))) return false;
    const { accountId, id: responseId, createdAt: startedAt } = row;
    await tx.drizzle.insert(backgroundResponses).values({ accountId, responseId, replicaId, startedAt });
    return true;
  });
}

/**
 * Stores the end of a response that runs, if it has none yet.
 * @param sealed the whole response
 * @param size decompressed, in bytes
 * @returns false if it had ended already, or was deleted
 */
export function endBackground(
  db: Connection,
  { accountId, id }: BackgroundPlace,
  { sealed, size }: { sealed: Buffer; size: number },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const response = await passBytes(tx, 'response', sealed);
    const ended = await tx.drizzle.execute(sql`
      WITH running AS (
        DELETE FROM ${backgroundResponses} WHERE account_id = ${accountId} AND response_id = ${id} RETURNING response_id
      )
      UPDATE ${storedResponses} SET response_sealed = ${response}, response_size = ${size}::integer,
        bytes = ${sealed.length}::integer + octet_length(input_sealed)
      WHERE account_id = ${accountId} AND id IN (SELECT response_id FROM running)`);
    return ended.count === 1;
  });
}

/** Takes back a response that was refused before its caller knew of it. */
export async function withdrawBackground(db: Connection, { accountId, id }: BackgroundPlace): Promise<void> {
  await db.drizzle
    .delete(storedResponses)
    .where(and(eq(storedResponses.accountId, accountId), eq(storedResponses.id, id)));
}

/** Lists the running responses of one replica. */
export function listOwn(db: Connection, replicaId: string): Promise<BackgroundPlace[]> {
  const { accountId, responseId } = backgroundResponses;
  return db.drizzle
    .select({ accountId, id: responseId })
    .from(backgroundResponses)
    .where(eq(backgroundResponses.replicaId, replicaId));
}

/**
 * Lists the running responses of one replica and of all stale replicas.
 * @param silentForMs how long stale replicas have sent no heartbeat
 * @param limit maximum number, the oldest first
 */
export async function listOwnAndLost(
  db: Connection,
  { ownReplicaId, silentForMs, limit }: { ownReplicaId: string; silentForMs: number; limit: number },
): Promise<BackgroundPlace[]> {
  const rows = await db.drizzle.execute<{ accountId: string; id: string }>(sql`
    SELECT b.account_id AS "accountId", b.response_id AS id FROM ${backgroundResponses} b
    WHERE b.replica_id = ${ownReplicaId} OR NOT EXISTS (
      SELECT 1 FROM ${replicas} r
      WHERE r.id = b.replica_id AND r.heartbeat_at > now() - make_interval(secs => ${silentForMs / 1000}))
    ORDER BY b.started_at LIMIT ${limit}`);
  return [...rows];
}
