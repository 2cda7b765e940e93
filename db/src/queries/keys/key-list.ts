import { WILDCARD } from '@tollgate/core/models/model-pattern';
import { and, asc, desc, eq, gt, isNotNull, isNull, like, lte, or, sql, type SQL } from 'drizzle-orm';
import { toTextArray } from '../../array-text.ts';
import { apiKeys, keyStandings, keyTotals } from '../../schema/api-keys.ts';
import type { Connection } from '../../transaction.ts';
import { addRecentUse, SUMMARY_COLUMNS, type KeySummary, type KeyUseTime } from './key-summary.ts';

/** A key that ends sooner than this is about to expire. */
const EXPIRING_WITHIN_MS = 7 * 86_400_000;

/** `active` includes `expiring`; `ended`: revoked or expired. */
export type KeyState = 'active' | 'expiring' | 'ended';
export type KeySort = 'created' | 'name' | 'spent' | 'used';

export interface KeyListQuery extends KeyUseTime {
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
}

/** The end of a page: its sort value, as text, and the key. */
export interface KeyCursor {
  value: string;
  id: string;
}

/** Sort columns, and the type that a cursor's text is read as. */
const SORTS = {
  created: { by: sql`${apiKeys.createdAt}`, id: sql`${apiKeys.id}`, type: sql`timestamptz` },
  name: { by: sql`lower(${apiKeys.name})`, id: sql`${apiKeys.id}`, type: sql`text` },
  spent: { by: sql`${keyStandings.spentNanoUsd}`, id: sql`${keyStandings.keyId}`, type: sql`bigint` },
  used: { by: sql`${keyStandings.lastUsedAt}`, id: sql`${keyStandings.keyId}`, type: sql`timestamptz` },
} satisfies Record<KeySort, { by: SQL; id: SQL; type: SQL }>;

/**
 * One page of an account's keys. By spend and by last use the order is that of {@link refreshKeyStandings}, some seconds
 * old; what a key has spent is as new as the page.
 */
export async function listKeys(
  db: Connection,
  query: KeyListQuery,
): Promise<{ keys: KeySummary[]; nextCursor: KeyCursor | null }> {
  const direction = query.isAscending ? asc : desc;
  const page = selectPage(db, query);
  const rows = await db.drizzle
    .select({ ...SUMMARY_COLUMNS, sortValue: sql<string>`${page.place}::text`.as('sort_value') })
    .from(page)
    .innerJoin(apiKeys, eq(apiKeys.id, page.id))
    .innerJoin(keyTotals, eq(keyTotals.keyId, page.id))
    .orderBy(direction(page.place), direction(page.id));
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > query.limit && last !== undefined;
  return {
    keys: await addRecentUse(db, shown.map(withoutSortValue), query),
    nextCursor: hasMore ? { value: last.sortValue, id: last.id } : null,
  };
}

/** Only the ids of the keys: usually an index is enough to find them. */
function selectPage(db: Connection, query: KeyListQuery) {
  const { by, id } = SORTS[query.sort];
  const direction = query.isAscending ? asc : desc;
  const keys = db.drizzle
    .select({ id: sql<string>`${apiKeys.id}`.as('page_id'), place: by.as('place') })
    .from(apiKeys)
    .$dynamic();
  const hasStandings = query.sort === 'spent' || query.sort === 'used';
  const sortable = hasStandings ? keys.innerJoin(keyStandings, eq(keyStandings.keyId, apiKeys.id)) : keys;
  return sortable
    .where(
      and(
        eq(apiKeys.accountId, query.accountId),
        hasStandings ? eq(keyStandings.accountId, query.accountId) : undefined,
        isInState(query.state, query.nowMs),
        matches(query.search),
        mayCall(query.model),
        query.tag === undefined ? undefined : sql`${apiKeys.tags} @> ARRAY[${query.tag}]::text[]`,
        isAfter(query),
      ),
    )
    .orderBy(direction(by), direction(id))
    .limit(query.limit + 1)
    .as('page');
}

/** The sort value is only for the cursor. */
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
  // Counted separately, each by its own index: of many keys mostly few have an end.
  const getCount = (state: KeyState | null) => {
    const isMeant = and(
      eq(apiKeys.accountId, query.accountId),
      state === null ? undefined : isInState(state, query.nowMs),
    );
    return sql<number>`(SELECT count(*)::int FROM ${apiKeys} WHERE ${isMeant})`;
  };
  const [row] = await db.drizzle.execute<{ all: number; expiring: number; ended: number }>(sql`
    SELECT ${getCount(null)} AS all, ${getCount('expiring')} AS expiring, ${getCount('ended')} AS ended`);
  if (row === undefined) throw new Error('A SELECT without FROM returned no row');
  const { all, expiring, ended } = row;
  return { active: all - ended, expiring, ended };
}

/** Scan limit for keys with tags. */
const TAGGED_KEYS = 20_000;

/** The tags that the newest keys of an account bear, in order; of very many only the first. */
export async function listKeyTags(db: Connection, accountId: string): Promise<string[]> {
  const rows = await db.drizzle.execute<{ tag: string }>(sql`
    SELECT DISTINCT tag FROM (
      SELECT tags FROM api_keys WHERE account_id = ${accountId} AND cardinality(tags) > 0
      ORDER BY created_at DESC LIMIT ${TAGGED_KEYS}) AS tagged
    CROSS JOIN LATERAL unnest(tagged.tags) AS tag ORDER BY tag LIMIT 200`);
  return rows.map(({ tag }) => tag);
}

/** Column by column, since of those the database knows how many keys have which: of a function of two it knows nothing. */
function isInState(state: KeyState, nowMs: number): SQL | undefined {
  const now = getTime(nowMs);
  const soon = getTime(nowMs + EXPIRING_WITHIN_MS);
  const ends = [apiKeys.expiresAt, apiKeys.endsAt];
  const isAlive = and(isNull(apiKeys.revokedAt), ...ends.map((end) => or(isNull(end), gt(end, now))));
  const conditions = {
    active: isAlive,
    expiring: and(isAlive, or(...ends.map((end) => lte(end, soon)))),
    ended: or(isNotNull(apiKeys.revokedAt), ...ends.map((end) => lte(end, now))),
  } satisfies Record<KeyState, SQL | undefined>;
  return conditions[state];
}

function getTime(ms: number): SQL {
  return sql`${new Date(ms).toISOString()}::timestamptz`;
}

function matches(search: string | undefined): SQL | undefined {
  if (search === undefined || search === '') return undefined;
  const pattern = `%${search.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  // By the same function as what it is compared with: not every database knows the small letters of all scripts.
  return like(apiKeys.searchText, sql`lower(${pattern})`);
}

function mayCall(model: string | undefined): SQL | undefined {
  if (model === undefined) return undefined;
  // With each of its beginnings as a pattern, so that the index finds all of them.
  const entries = [model];
  let beginning = '';
  for (const character of model) {
    beginning += character;
    entries.push(`${beginning}${WILDCARD}`);
  }
  return or(isNull(apiKeys.allowedModels), sql`${apiKeys.allowedModels} && ${toTextArray(entries)}::text[]`);
}

function isAfter({ cursor, sort, isAscending }: KeyListQuery): SQL | undefined {
  if (cursor === undefined) return undefined;
  const { by, id, type } = SORTS[sort];
  const comparison = isAscending ? sql`>` : sql`<`;
  return sql`(${by}, ${id}) ${comparison} (${cursor.value}::${type}, ${cursor.id})`;
}
