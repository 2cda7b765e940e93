import { sql, type SQL } from 'drizzle-orm';
import { usageHourly } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';
import { FIGURES, isInRange, type UsageFigures, type UsageRange } from './filter.ts';
import { bucketOf, type UsageBucket } from './periods.ts';

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
  /** Which groups are told apart; null: none. */
  groups: { by: 'model' | 'key'; ids: string[] } | null;
}

/** Usage bucket by bucket, in no order; buckets without any are absent. */
export async function readUsageSeries(db: Connection, query: SeriesQuery): Promise<UsageCell[]> {
  return db.drizzle
    .select({
      startMs: bucketOf(query.bucket, query.timeZone),
      group: sql<string | null>`${groupOf(query.groups)}`,
      ...FIGURES,
    })
    .from(usageHourly)
    .where(isInRange(query.range))
    .groupBy(sql`1, 2`);
}

function groupOf(groups: SeriesQuery['groups']): SQL {
  if (groups === null || groups.ids.length === 0) return sql`NULL::text`;
  const column = groups.by === 'model' ? sql`model` : sql`key_id`;
  const ids = sql.join(
    groups.ids.map((id) => sql`${id}`),
    sql`, `,
  );
  return sql`CASE WHEN ${column} IN (${ids}) THEN ${column} END`;
}
