import {
  and,
  desc,
  eq,
  gt,
  gte,
  ilike,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
  sum,
  type SQL,
} from 'drizzle-orm';
import { apiKeys, keyTotals } from '../schema/api-keys.ts';
import { usageHourly } from '../schema/requests.ts';
import type { Connection } from '../transaction.ts';
import { KEY_COLUMNS, type KeyFields } from './key-columns.ts';

const DAY_MS = 86_400_000;
/** A key that ends sooner than this is about to expire. */
const EXPIRING_WITHIN_MS = 7 * DAY_MS;
const RECENT_USE_MS = 7 * DAY_MS;

/** `active` includes `expiring`; `ended`: revoked or expired. */
export type KeyState = 'active' | 'expiring' | 'ended';

export interface KeySummary extends KeyFields {
  lastUsedAt: Date | null;
  last7Days: { requests: number; costNanoUsd: bigint };
}

export interface KeyListQuery {
  accountId: string;
  state: KeyState;
  /** Part of the name, of the prefix or of the last four characters. */
  search?: string | undefined;
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  limit: number;
  nowMs: number;
}

/** One page of an account's keys, the newest first. */
export async function listKeys(
  db: Connection,
  query: KeyListQuery,
): Promise<{ keys: KeySummary[]; nextCursor: string | null }> {
  const rows = await db.drizzle
    .select(SUMMARY_COLUMNS)
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .where(
      and(
        eq(apiKeys.accountId, query.accountId),
        isInState(query.state, new Date(query.nowMs)),
        matches(query.search),
        isAfter(query),
      ),
    )
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit);
  const keys = await addRecentUse(db, page, query.nowMs);
  return { keys, nextCursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null };
}

/** How many keys of an account are in each state. */
export async function countKeys(
  db: Connection,
  query: { accountId: string; nowMs: number },
): Promise<Record<KeyState, number>> {
  const now = new Date(query.nowMs);
  const countOf = (state: KeyState) => sql<number>`count(*) FILTER (WHERE ${isInState(state, now)})::int`;
  const [row] = await db.drizzle
    .select({ active: countOf('active'), expiring: countOf('expiring'), ended: countOf('ended') })
    .from(apiKeys)
    .where(eq(apiKeys.accountId, query.accountId));
  return row ?? { active: 0, expiring: 0, ended: 0 };
}

/** @returns null where the account has no such key */
export async function findKeySummary(
  db: Connection,
  query: { accountId: string; keyId: string; nowMs: number },
): Promise<KeySummary | null> {
  const rows = await db.drizzle
    .select(SUMMARY_COLUMNS)
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .where(and(eq(apiKeys.accountId, query.accountId), eq(apiKeys.id, query.keyId)));
  const [key] = await addRecentUse(db, rows, query.nowMs);
  return key ?? null;
}

const SUMMARY_COLUMNS = {
  ...KEY_COLUMNS,
  lastUsedAt: keyTotals.lastUsedAt,
};

function isInState(state: KeyState, now: Date): SQL | undefined {
  const soon = new Date(now.getTime() + EXPIRING_WITHIN_MS);
  const conditions = {
    active: and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now))),
    expiring: and(isNull(apiKeys.revokedAt), gt(apiKeys.expiresAt, now), lte(apiKeys.expiresAt, soon)),
    ended: or(isNotNull(apiKeys.revokedAt), lte(apiKeys.expiresAt, now)),
  } satisfies Record<KeyState, SQL | undefined>;
  return conditions[state];
}

function matches(search: string | undefined): SQL | undefined {
  if (search === undefined || search === '') return undefined;
  const pattern = `%${search.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return or(ilike(apiKeys.name, pattern), ilike(apiKeys.prefix, pattern), ilike(apiKeys.last4, pattern));
}

/** The cursor is a key's id; its time is read from the row, since a Date would cut the microseconds off. */
function isAfter(query: KeyListQuery): SQL | undefined {
  if (query.cursor === undefined) return undefined;
  return sql`(${apiKeys.createdAt}, ${apiKeys.id}) < (
    SELECT last.created_at, last.id FROM api_keys last
    WHERE last.id = ${query.cursor} AND last.account_id = ${query.accountId})`;
}

async function addRecentUse(
  db: Connection,
  rows: Omit<KeySummary, 'last7Days'>[],
  nowMs: number,
): Promise<KeySummary[]> {
  if (rows.length === 0) return [];
  const use = await db.drizzle
    .select({
      keyId: usageHourly.keyId,
      requests: sum(usageHourly.requests).mapWith(Number),
      costNanoUsd: sum(usageHourly.costNanoUsd).mapWith(BigInt),
    })
    .from(usageHourly)
    .where(
      and(
        inArray(
          usageHourly.keyId,
          rows.map((row) => row.id),
        ),
        gte(usageHourly.hour, new Date(nowMs - RECENT_USE_MS)),
      ),
    )
    .groupBy(usageHourly.keyId);
  const byKey = new Map(use.map((row) => [row.keyId, row]));
  return rows.map((row) => {
    const found = byKey.get(row.id);
    return {
      ...row,
      last7Days: { requests: found?.requests ?? 0, costNanoUsd: found?.costNanoUsd ?? 0n },
    };
  });
}
