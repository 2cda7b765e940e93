import { and, asc, desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import { apiKeys } from '../../schema/api-keys.ts';
import { requests } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { getPosition } from './request-conditions.ts';

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
  errorMessage: requests.errorMessage,
  errorParam: requests.errorParam,
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
  client: requests.client,
  session: requests.session,
};

/** A request as the log lists it. */
export interface RequestRow extends Pick<typeof requests.$inferSelect, keyof typeof COLUMNS> {
  /** null: the key was deleted. */
  keyName: string | null;
  /** As they are now; null: the key was deleted. */
  keyTags: string[] | null;
  /** Its position in the log. */
  position: string;
}

const NEWEST_FIRST = [desc(requests.startedAt), desc(requests.id)];
export const OLDEST_FIRST = [asc(requests.startedAt), asc(requests.id)];

/**
 * Requests of one account, the newest first unless another order is given.
 * @param where.indexed conditions that an index answers
 */
export async function selectRequests(
  db: Connection,
  where: { accountId: string; indexed: SQL | undefined },
  limit: number,
  order: readonly SQL[] = NEWEST_FIRST,
): Promise<RequestRow[]> {
  const rows = await db.drizzle
    .select({ ...COLUMNS, position: getPosition })
    .from(requests)
    .where(where.indexed)
    .orderBy(...order)
    .limit(limit);
  return addKeys(db, where.accountId, rows);
}

/**
 * As {@link selectRequests}, but filters the first rows of an index.
 * @param where.indexed conditions that an index answers: only they decide which rows are read
 * @param where.rows conditions that each row is checked for
 * @param limits.scanned rows that are read at most, however few are found among them
 * @returns with them the position of the last row that was read; null if there are no more, or enough were found
 */
export async function searchRequests(
  db: Connection,
  where: { accountId: string; indexed: SQL | undefined; rows: SQL },
  limits: { found: number; scanned: number },
): Promise<{ found: RequestRow[]; end: string | null }> {
  const scanned = db.drizzle
    .select({
      ...COLUMNS,
      nth: sql<number>`row_number() OVER (ORDER BY ${sql.join(NEWEST_FIRST, sql`, `)})`
        .mapWith(Number)
        .as('nth'),
    })
    .from(requests)
    .where(where.indexed)
    .orderBy(...NEWEST_FIRST)
    .limit(limits.scanned)
    // It has the name of the table, so that its columns, conditions and order are written the same for both.
    .as('requests');
  const isFound = sql<boolean>`coalesce(${where.rows}, false)`;
  const rows = await db.drizzle
    .select({ ...COLUMNS, position: getPosition, isFound, nth: scanned.nth })
    .from(scanned)
    .where(or(where.rows, eq(scanned.nth, limits.scanned)))
    .orderBy(...NEWEST_FIRST)
    .limit(limits.found + 1);
  const found = rows.filter((row) => row.isFound).slice(0, limits.found);
  const end = found.length < limits.found ? rows.find(({ nth }) => nth === limits.scanned) : undefined;
  return { found: await addKeys(db, where.accountId, found.map(toFound)), end: end?.position ?? null };
}

/** Removes the columns of the search. */
function toFound<T extends { isFound: boolean; nth: number }>(row: T): Omit<T, 'isFound' | 'nth'> {
  const { isFound, nth, ...rest } = row;
  void isFound;
  void nth;
  return rest;
}

async function addKeys(
  db: Connection,
  accountId: string,
  rows: Omit<RequestRow, 'keyName' | 'keyTags'>[],
): Promise<RequestRow[]> {
  const keyIds = [...new Set(rows.map((row) => row.keyId))];
  if (keyIds.length === 0) return [];
  const keys = await db.drizzle
    .select({ id: apiKeys.id, name: apiKeys.name, tags: apiKeys.tags })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), inArray(apiKeys.id, keyIds)));
  const byId = new Map(keys.map((key) => [key.id, key]));
  return rows.map((row) => {
    const key = byId.get(row.keyId);
    return { ...row, keyName: key?.name ?? null, keyTags: key?.tags ?? null };
  });
}
