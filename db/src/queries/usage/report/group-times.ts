import { LATENCY_BOUNDS_MS } from '@tollgate/core/requests/latency';
import { and, inArray, sql, type SQL } from 'drizzle-orm';
import type { Connection } from '../../../transaction.ts';
import { findUsageSource, type UsageRange, type UsageSource } from './filter.ts';
import { findGroupedSource, type UsageGroupBy } from './grouped-source.ts';
import { getGroup } from './series.ts';

/** How many requests of a group took how long, between which `LATENCY_BOUNDS_MS`. */
export interface GroupTimes {
  /** One of the groups that were named; null: all others together; by tag: all requests. */
  group: string | null;
  latency: number[];
  firstByte: number[];
}

/** How long the requests of each group took, and those of all others; groups without any are absent. */
export async function readGroupTimes(
  db: Connection,
  { range, groups }: { range: UsageRange; groups: { by: UsageGroupBy; ids: string[] } },
): Promise<GroupTimes[]> {
  const whole = await findUsageSource(db, range, 'hour', { hasTimes: true });
  if (groups.by === 'model') return selectTimes(db, getGroup(groups.ids), whole);
  const { group, ...all } = await findGroupedSource(db, range, groups.by, { hasTimes: true });
  const named = { ...all, where: and(all.where, inArray(group, groups.ids)) };
  const rows = await selectTimes(db, sql`NULL::text`, whole).unionAll(selectTimes(db, group, named));
  // A request may have several tags: all of them are the whole.
  if (groups.by === 'tag') return rows;
  // As the series of keys are read: what the keys leave of the whole are the others.
  const keys = rows.filter(({ group }) => group !== null);
  const others = rows
    .filter(({ group }) => group === null)
    .map(({ latency, firstByte }) => ({
      group: null,
      latency: subtract(
        latency,
        keys.map((key) => key.latency),
      ),
      firstByte: subtract(
        firstByte,
        keys.map((key) => key.firstByte),
      ),
    }));
  return [...keys, ...others];
}

function selectTimes(db: Connection, group: SQL, usage: UsageSource) {
  return db.drizzle
    .select({
      group: sql<string | null>`${group}`,
      latency: computeSums(sql`latency_counts`),
      firstByte: computeSums(sql`first_byte_counts`),
    })
    .from(usage.from)
    .where(usage.where)
    .groupBy(sql`1`);
}

function subtract(whole: number[], parts: number[][]): number[] {
  return whole.map((count, bucket) => count - parts.reduce((sum, part) => sum + (part[bucket] ?? 0), 0));
}

/** Element by element: unnesting the arrays first would take ten times as long. */
export function computeSums(counts: SQL): SQL<number[]> {
  const sums = Array.from(
    { length: LATENCY_BOUNDS_MS.length + 1 },
    (_, index) => sql`sum(${counts}[${sql.raw(String(index + 1))}])`,
  );
  return sql<number[]>`json_build_array(${sql.join(sums, sql`, `)})`;
}
