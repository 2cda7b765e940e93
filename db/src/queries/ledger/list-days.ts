import { findLastDays } from '@tollgate/core/requests/last-days';
import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import { apiKeys } from '../../schema/api-keys.ts';
import { balances, ledgerEntries } from '../../schema/ledger.ts';
import type { Connection } from '../../transaction.ts';
import { findEntryDocuments, type LinkedDocument } from '../documents/list-documents.ts';
import { getUnposted, readRolledUntil } from '../usage/rolls/sources.ts';
import type { LedgerEntry } from './post-entry.ts';
import { CHANGE } from './statements/entry-month.ts';

const DAY_MS = 86_400_000;
/** Usage that is posted later than this counts on the day of its posting. */
const POSTED_WITHIN_MS = 25 * 3_600_000;
const DAYS_OF_PAGE = 31;

/** The moment whose day an entry belongs to: of usage the hour in which it began. It is at most `POSTED_WITHIN_MS` before the posting. */
const DAY_TIME = sql.raw(`(CASE
  WHEN kind = 'usage' AND usage_hour <= at AND at < usage_hour + interval '${POSTED_WITHIN_MS} milliseconds'
  THEN usage_hour ELSE at END)`);

export interface LedgerDay {
  /** Midnight in the reader's time zone. */
  from: Date;
  /** The next one. */
  to: Date;
  /** What entries of each kind changed, with their sign; kinds without entries are absent. */
  sums: { kind: LedgerEntry['kind']; entries: number; changeNanoUsd: bigint }[];
  changeNanoUsd: bigint;
  /** The balance at the end of the day. */
  balanceAfterNanoUsd: bigint;
}

interface Cursor {
  /** End of the page. */
  to: Date;
  balanceNanoUsd: bigint;
}

const CURSOR_PATTERN = /^(\d{1,15})\.(-?\d{1,20})$/;

/**
 * Days of an account's ledger that have entries, the newest first. A page has the days of a month at most; the cursor carries
 * the balance on, so that no page sums up the ones before.
 * @param page.cursor of the page before; an invalid one starts at the top
 */
export async function listLedgerDays(
  db: Connection,
  page: { accountId: string; timeZone: string; cursor?: string | undefined; nowMs: number },
): Promise<{ days: LedgerDay[]; nextCursor: string | null }> {
  const { accountId, timeZone, nowMs } = page;
  const cursor = parseCursor(page.cursor);
  // The clock of the database may be ahead.
  const until = cursor?.to ?? new Date(findLastDays({ days: 1, timeZone, nowMs: nowMs + DAY_MS }).toMs);
  const newest = await findNewest(db, { accountId, until });
  if (newest === null) return { days: [], nextCursor: null };
  const range = findLastDays({ days: DAYS_OF_PAGE, timeZone, nowMs: newest.getTime() });
  const from = new Date(range.fromMs);
  const { sums, totalNanoUsd } = await sumDays(db, { accountId, timeZone, from, to: until });
  let balance = cursor?.balanceNanoUsd ?? totalNanoUsd;
  const days = [...Map.groupBy(sums, ({ startMs }) => startMs)]
    .toSorted(([left], [right]) => right - left)
    .map(([startMs, kinds]): LedgerDay => {
      const changeNanoUsd = kinds.reduce((sum, kind) => sum + kind.changeNanoUsd, 0n);
      const balanceAfterNanoUsd = balance;
      balance -= changeNanoUsd;
      const day = findLastDays({ days: 1, timeZone, nowMs: startMs });
      return {
        from: new Date(day.fromMs),
        to: new Date(day.toMs),
        sums: kinds.map(({ kind, entries, changeNanoUsd: change }) => ({
          kind,
          entries,
          changeNanoUsd: change,
        })),
        changeNanoUsd,
        balanceAfterNanoUsd,
      };
    });
  const hasMore = (await findNewest(db, { accountId, until: from })) !== null;
  return { days, nextCursor: hasMore ? `${from.getTime()}.${balance}` : null };
}

function parseCursor(text: string | undefined): Cursor | null {
  const [, to, balance] = CURSOR_PATTERN.exec(text ?? '') ?? [];
  return to === undefined || balance === undefined
    ? null
    : { to: new Date(Number(to)), balanceNanoUsd: BigInt(balance) };
}

/** The time of the last entry before `until`. */
async function findNewest(
  db: Connection,
  { accountId, until }: { accountId: string; until: Date },
): Promise<Date | null> {
  const [row] = await db.drizzle
    .select({ time: sql<string>`${DAY_TIME}` })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.accountId, accountId), isBefore(until)))
    .orderBy(desc(ledgerEntries.at), desc(ledgerEntries.id))
    .limit(1);
  return row === undefined ? null : new Date(row.time);
}

interface DaySum {
  startMs: number;
  kind: LedgerEntry['kind'];
  entries: number;
  changeNanoUsd: bigint;
}

/** The total is the sum of all entries, read in the same statement. */
async function sumDays(
  db: Connection,
  query: { accountId: string; timeZone: string; from: Date; to: Date },
): Promise<{ sums: DaySum[]; totalNanoUsd: bigint }> {
  const { accountId, timeZone } = query;
  const rows = await db.drizzle
    .select({
      startMs: sql<number>`extract(epoch FROM date_trunc('day', ${DAY_TIME}, ${timeZone})) * 1000`.mapWith(
        Number,
      ),
      kind: ledgerEntries.kind,
      entries: sql<number>`count(*)`.mapWith(Number),
      changeNanoUsd: sql<bigint>`sum(${CHANGE})`.mapWith(BigInt),
      totalNanoUsd: sql<bigint>`min((SELECT ${balances.availableNanoUsd} FROM ${balances}
        WHERE ${balances.accountId} = ${accountId}) + ${getUnposted(await readRolledUntil(db), accountId)})`.mapWith(
        BigInt,
      ),
    })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.accountId, accountId), isIn(query)))
    .groupBy(sql`1`, ledgerEntries.kind)
    .orderBy(ledgerEntries.kind);
  return {
    sums: rows.map(({ totalNanoUsd: _total, ...sum }) => sum),
    totalNanoUsd: rows[0]?.totalNanoUsd ?? 0n,
  };
}

/** One day: entries of money one by one, and usage by key. */
export interface LedgerDayParts {
  /** The newest first. */
  entries: {
    id: string;
    at: Date;
    kind: LedgerEntry['kind'];
    changeNanoUsd: bigint;
    reason: string | null;
    paymentId: string | null;
    /** The receipt or credit note of the same amount; null: it has none. */
    document: LinkedDocument | null;
  }[];
  /** The highest charge first. */
  keys: { keyId: string; keyName: string | null; tags: string[]; hours: number; changeNanoUsd: bigint }[];
  /** Entries and keys that are not listed. */
  more: { entries: number; keys: number; changeNanoUsd: bigint };
}

/** @param day as {@link listLedgerDays} gives it; @param day.limit of entries, and of keys */
export async function readLedgerDay(
  db: Connection,
  day: { accountId: string; from: Date; to: Date; limit: number },
): Promise<LedgerDayParts> {
  const { accountId, limit } = day;
  const isOfDay = and(eq(ledgerEntries.accountId, accountId), isIn(day));
  const [rows, keys, [whole]] = await Promise.all([
    db.drizzle
      .select({
        id: ledgerEntries.id,
        at: ledgerEntries.at,
        kind: ledgerEntries.kind,
        changeNanoUsd: sql<bigint>`${CHANGE}`.mapWith(BigInt),
        reason: ledgerEntries.reason,
        paymentId: ledgerEntries.paymentId,
        entryKey: ledgerEntries.idempotencyKey,
      })
      .from(ledgerEntries)
      .where(and(isOfDay, sql`key_id IS NULL`))
      .orderBy(desc(ledgerEntries.at), desc(ledgerEntries.id))
      .limit(limit),
    db.drizzle
      .select({
        keyId: sql<string>`${ledgerEntries.keyId}`,
        keyName: sql<string | null>`min(${apiKeys.name})`,
        tags: sql<string[]>`coalesce(min(${apiKeys.tags}), '{}')`,
        hours: sql<number>`count(DISTINCT usage_hour)`.mapWith(Number),
        changeNanoUsd: sql<bigint>`sum(${CHANGE})`.mapWith(BigInt),
      })
      .from(ledgerEntries)
      .leftJoin(apiKeys, and(eq(apiKeys.id, ledgerEntries.keyId), eq(apiKeys.accountId, accountId)))
      .where(and(isOfDay, sql`key_id IS NOT NULL`))
      .groupBy(ledgerEntries.keyId)
      .orderBy(sql`5, 1`)
      .limit(limit),
    db.drizzle
      .select({
        entries: sql<number>`count(*) FILTER (WHERE key_id IS NULL)`.mapWith(Number),
        keys: sql<number>`count(DISTINCT key_id)`.mapWith(Number),
        changeNanoUsd: sql<bigint>`coalesce(sum(${CHANGE}), 0)`.mapWith(BigInt),
      })
      .from(ledgerEntries)
      .where(isOfDay),
  ]);
  const entryKeys = rows.filter(({ paymentId }) => paymentId !== null).map(({ entryKey }) => entryKey);
  const documents = await findEntryDocuments(db, { accountId, entryKeys });
  const entries = rows.map(({ entryKey, ...entry }) => ({
    ...entry,
    document: documents.get(entryKey) ?? null,
  }));
  const listed = [...entries, ...keys].reduce((sum, row) => sum + row.changeNanoUsd, 0n);
  return {
    entries,
    keys,
    more: {
      entries: (whole?.entries ?? 0) - entries.length,
      keys: (whole?.keys ?? 0) - keys.length,
      changeNanoUsd: (whole?.changeNanoUsd ?? 0n) - listed,
    },
  };
}

/** The bounds of `at` let an index be used. */
function isBefore(until: Date): SQL {
  const posted = new Date(until.getTime() + POSTED_WITHIN_MS);
  return sql`at < ${posted.toISOString()}::timestamptz AND ${DAY_TIME} < ${until.toISOString()}::timestamptz`;
}

function isIn({ from, to }: { from: Date; to: Date }): SQL {
  const start = sql`${from.toISOString()}::timestamptz`;
  return sql`at >= ${start} AND ${DAY_TIME} >= ${start} AND ${isBefore(to)}`;
}
