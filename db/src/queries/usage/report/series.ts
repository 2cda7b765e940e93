import { and, inArray, sql, type SQL } from 'drizzle-orm';
import { usageHourly } from '../../../schema/requests.ts';
import type { Connection } from '../../../transaction.ts';
import {
  addFigures,
  FIGURES,
  findUsageSource,
  hasOneTag,
  isInRange,
  NO_FIGURES,
  subtractFigures,
  type UsageFigures,
  type UsageRange,
} from './filter.ts';
import { joinTags, TAG, type UsageGroupBy } from './grouped-source.ts';
import { getBucket, type UsageBucket } from './periods.ts';

export interface UsageCell extends UsageFigures {
  /** When its bucket begins, in milliseconds since 1970. */
  startMs: number;
  /** One of the groups that were named; null: all others together. */
  group: string | null;
}

interface SeriesQuery {
  range: UsageRange;
  bucket: UsageBucket;
  timeZone: string;
  /** Groups with a separate series; null: none. */
  groups: { by: UsageGroupBy; ids: string[] } | null;
}

/** Usage bucket by bucket, in no order; buckets without any are absent. */
export async function readUsageSeries(db: Connection, query: SeriesQuery): Promise<UsageCell[]> {
  const { groups, range } = query;
  if (groups?.by === 'key' && groups.ids.length > 0) return readSeriesOfKeys(db, query, groups.ids);
  if (groups?.by === 'tag') return readSeriesOfTags(db, query, groups.ids);
  const usage = await findUsageSource(db, range, 'hour');
  return selectCells(db, query, getGroup(groups?.ids ?? []), usage);
}

/**
 * Reads the keys from their hours, and the account from its sums: the difference is the other keys. Both are read
 * in one statement, so that every request is in both.
 */
async function readSeriesOfKeys(db: Connection, query: SeriesQuery, ids: string[]): Promise<UsageCell[]> {
  const { range } = query;
  const source = await findUsageSource(db, range, 'hour');
  const named = sql`(SELECT * FROM ${usageHourly}
    WHERE ${and(isInRange(range), inArray(usageHourly.keyId, ids))}) AS usage`;
  const cells = await selectCells(db, query, sql`NULL::text`, source).unionAll(
    selectCells(db, query, sql`key_id`, { from: named, where: undefined }),
  );
  const ofKeys = new Map<number, UsageFigures>();
  for (const { startMs, ...figures } of cells.filter(({ group }) => group !== null))
    ofKeys.set(startMs, addFigures(ofKeys.get(startMs) ?? NO_FIGURES, figures));
  return cells.flatMap((cell) => {
    if (cell.group !== null) return [cell];
    const left = subtractFigures(cell, ofKeys.get(cell.startMs) ?? NO_FIGURES);
    return left === null ? [] : [{ startMs: cell.startMs, group: null, ...left }];
  });
}

/** Only of the tags: what other keys used is not among them. */
async function readSeriesOfTags(db: Connection, query: SeriesQuery, ids: string[]): Promise<UsageCell[]> {
  if (ids.length === 0) return [];
  const { range } = query;
  const isTagged = hasOneTag(range.accountId, ids);
  const hours = sql`(SELECT * FROM ${usageHourly} WHERE ${and(isInRange(range), isTagged)}) AS usage`;
  const from = joinTags(hours, range.accountId);
  return selectCells(db, query, TAG, { from, where: inArray(TAG, ids) });
}

function selectCells(
  db: Connection,
  { bucket, timeZone }: SeriesQuery,
  group: SQL,
  usage: { from: SQL; where: SQL | undefined },
) {
  return db.drizzle
    .select({ startMs: getBucket(bucket, timeZone), group: sql<string | null>`${group}`, ...FIGURES })
    .from(usage.from)
    .where(usage.where)
    .groupBy(sql`1, 2`);
}

/** SQL of a row's group; NULL for models without a separate series. */
export function getGroup(models: string[]): SQL {
  if (models.length === 0) return sql`NULL::text`;
  const ids = sql.join(
    models.map((id) => sql`${id}`),
    sql`, `,
  );
  return sql`CASE WHEN model IN (${ids}) THEN model END`;
}
