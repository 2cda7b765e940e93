import { and, asc, desc, eq, gt, ilike, isNotNull, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import { apiKeys, keyTotals } from '../schema/api-keys.ts';
import type { Connection } from '../transaction.ts';
import { KEY_END } from './key-columns.ts';
import { addRecentUse, SUMMARY_COLUMNS, type KeySummary } from './key-summary.ts';

/** A key that ends sooner than this is about to expire. */
const EXPIRING_WITHIN_MS = 7 * 86_400_000;

/** `active` includes `expiring`; `ended`: revoked or expired. */
export type KeyState = 'active' | 'expiring' | 'ended';
export type KeySort = 'created' | 'name' | 'spent' | 'used';

export interface KeyListQuery {
  accountId: string;
  state: KeyState;
  /** Part of the name, of the prefix or of the last four characters. */
  search?: string | undefined;
  /** Only keys that may call it. */
  model?: string | undefined;
  tag?: string | undefined;
  sort: KeySort;
  isAscending: boolean;
  /** The `nextCursor` of the page before, of the same sort. */
  cursor?: KeyCursor | undefined;
  limit: number;
  nowMs: number;
}

/** Where a page ended: what it was sorted by, as text, and the key. */
export interface KeyCursor {
  value: string;
  id: string;
}

/** What is sorted by, and the type that a cursor's text is read as. A key that was never used was used before all others. */
const SORTS = {
  created: { by: sql`${apiKeys.createdAt}`, type: sql`timestamptz` },
  name: { by: sql`lower(${apiKeys.name})`, type: sql`text` },
  spent: { by: sql`(${keyTotals.spentNanoUsd} - ${keyTotals.carriedNanoUsd})`, type: sql`bigint` },
  used: { by: sql`coalesce(${keyTotals.lastUsedAt}, '-infinity')`, type: sql`timestamptz` },
} satisfies Record<KeySort, { by: SQL; type: SQL }>;

/** One page of an account's keys. */
export async function listKeys(
  db: Connection,
  query: KeyListQuery,
): Promise<{ keys: KeySummary[]; nextCursor: KeyCursor | null }> {
  const { by } = SORTS[query.sort];
  const direction = query.isAscending ? asc : desc;
  const rows = await db.drizzle
    .select({ ...SUMMARY_COLUMNS, sortValue: sql<string>`${by}::text` })
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .where(
      and(
        eq(apiKeys.accountId, query.accountId),
        isInState(query.state, query.nowMs),
        matches(query.search),
        query.model === undefined
          ? undefined
          : or(isNull(apiKeys.allowedModels), sql`${query.model} = ANY (${apiKeys.allowedModels})`),
        query.tag === undefined ? undefined : sql`${apiKeys.tags} @> ARRAY[${query.tag}]::text[]`,
        isAfter(query),
      ),
    )
    .orderBy(direction(by), direction(apiKeys.id))
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = rows.length > query.limit && last !== undefined;
  return {
    keys: await addRecentUse(db, page.map(withoutSortValue), query.nowMs),
    nextCursor: hasMore ? { value: last.sortValue, id: last.id } : null,
  };
}

/** What it was sorted by stands in the cursor alone. */
function withoutSortValue<T extends { sortValue: unknown }>(row: T): Omit<T, 'sortValue'> {
  const { sortValue, ...rest } = row;
  void sortValue;
  return rest;
}

/** How many keys of an account are in each state. */
export async function countKeys(
  db: Connection,
  query: { accountId: string; nowMs: number },
): Promise<Record<KeyState, number>> {
  const countOf = (state: KeyState) =>
    sql<number>`count(*) FILTER (WHERE ${isInState(state, query.nowMs)})::int`;
  const [row] = await db.drizzle
    .select({ active: countOf('active'), expiring: countOf('expiring'), ended: countOf('ended') })
    .from(apiKeys)
    .where(eq(apiKeys.accountId, query.accountId));
  return row ?? { active: 0, expiring: 0, ended: 0 };
}

/** The tags that keys of an account bear, in order; of very many only the first. */
export async function listKeyTags(db: Connection, accountId: string): Promise<string[]> {
  const rows = await db.drizzle.execute<{ tag: string }>(sql`
    SELECT DISTINCT tag FROM api_keys k CROSS JOIN LATERAL unnest(k.tags) AS tag
    WHERE k.account_id = ${accountId} AND cardinality(k.tags) > 0 ORDER BY tag LIMIT 200`);
  return rows.map(({ tag }) => tag);
}

function isInState(state: KeyState, nowMs: number): SQL | undefined {
  const now = timeOf(nowMs);
  const soon = timeOf(nowMs + EXPIRING_WITHIN_MS);
  const conditions = {
    active: and(isNull(apiKeys.revokedAt), or(isNull(KEY_END), gt(KEY_END, now))),
    expiring: and(isNull(apiKeys.revokedAt), gt(KEY_END, now), lte(KEY_END, soon)),
    ended: or(isNotNull(apiKeys.revokedAt), lte(KEY_END, now)),
  } satisfies Record<KeyState, SQL | undefined>;
  return conditions[state];
}

function timeOf(ms: number): SQL {
  return sql`${new Date(ms).toISOString()}::timestamptz`;
}

function matches(search: string | undefined): SQL | undefined {
  if (search === undefined || search === '') return undefined;
  const pattern = `%${search.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return or(ilike(apiKeys.name, pattern), ilike(apiKeys.prefix, pattern), ilike(apiKeys.last4, pattern));
}

function isAfter({ cursor, sort, isAscending }: KeyListQuery): SQL | undefined {
  if (cursor === undefined) return undefined;
  const { by, type } = SORTS[sort];
  const comparison = isAscending ? sql`>` : sql`<`;
  return sql`(${by}, ${apiKeys.id}) ${comparison} (${cursor.value}::${type}, ${cursor.id})`;
}
