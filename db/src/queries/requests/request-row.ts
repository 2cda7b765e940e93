import { desc, eq, inArray, and, type SQL } from 'drizzle-orm';
import { apiKeys } from '../../schema/api-keys.ts';
import { requests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { positionOf } from './request-conditions.ts';

const COLUMNS = {
  id: requests.id,
  startedAt: requests.startedAt,
  keyId: requests.keyId,
  endpoint: requests.endpoint,
  model: requests.model,
  streamed: requests.streamed,
  state: requests.state,
  status: requests.status,
  errorCode: requests.errorCode,
  inputTokens: requests.inputTokens,
  cacheReadTokens: requests.cacheReadTokens,
  cacheWriteTokens: requests.cacheWriteTokens,
  cacheWrite1hTokens: requests.cacheWrite1hTokens,
  outputTokens: requests.outputTokens,
  estimated: requests.estimated,
  recovered: requests.recovered,
  costNanoUsd: requests.costNanoUsd,
  latencyMs: requests.latencyMs,
  firstByteMs: requests.firstByteMs,
};

/** A request as the log lists it. */
export interface RequestRow extends Pick<typeof requests.$inferSelect, keyof typeof COLUMNS> {
  /** null: there is no such key any more. */
  keyName: string | null;
  /** Where it stands in the log. */
  position: string;
}

const NEWEST_FIRST = [desc(requests.startedAt), desc(requests.id)];

/**
 * Requests of one account, the newest first.
 * @param where.indexed what an index answers: it alone decides which rows are read
 * @param where.rows what each of them is looked at for
 * @param limits.scanned so many rows are read at most, however few are found among them
 */
export async function selectRequests(
  db: Connection,
  where: { accountId: string; indexed: SQL | undefined; rows: SQL | undefined },
  limits: { found: number; scanned: number },
): Promise<RequestRow[]> {
  const place = { position: positionOf.as('position') };
  if (where.rows === undefined) {
    const read = db.drizzle.select({ ...COLUMNS, ...place }).from(requests);
    const rows = await read
      .where(where.indexed)
      .orderBy(...NEWEST_FIRST)
      .limit(limits.found);
    return addKeyNames(db, where.accountId, rows);
  }
  const scanned = db.drizzle
    .select(COLUMNS)
    .from(requests)
    .where(where.indexed)
    .orderBy(...NEWEST_FIRST)
    .limit(limits.scanned)
    // It has the name of the table, so that its columns, conditions and order are written the same for both.
    .as('requests');
  const found = await db.drizzle
    .select({ ...COLUMNS, ...place })
    .from(scanned)
    .where(where.rows)
    .orderBy(...NEWEST_FIRST)
    .limit(limits.found);
  return addKeyNames(db, where.accountId, found);
}

/** The place of the n-th of the rows that an index gives, the newest first; null where there are fewer. */
export async function findPosition(
  db: Connection,
  indexed: SQL | undefined,
  nth: number,
): Promise<string | null> {
  const [row] = await db.drizzle
    .select({ position: positionOf })
    .from(requests)
    .where(indexed)
    .orderBy(...NEWEST_FIRST)
    .offset(nth - 1)
    .limit(1);
  return row?.position ?? null;
}

async function addKeyNames(
  db: Connection,
  accountId: string,
  rows: Omit<RequestRow, 'keyName'>[],
): Promise<RequestRow[]> {
  const keyIds = [...new Set(rows.map((row) => row.keyId))];
  if (keyIds.length === 0) return [];
  const keys = await db.drizzle
    .select({ id: apiKeys.id, name: apiKeys.name })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, keyIds)));
  const names = new Map(keys.map((key) => [key.id, key.name]));
  return rows.map((row) => ({ ...row, keyName: names.get(row.keyId) ?? null }));
}
