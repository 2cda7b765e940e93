import { sql } from 'drizzle-orm';
import type { Connection } from '../../../transaction.ts';
import { findUsageSource, type UsageRange } from './filter.ts';
import { computeSums } from './group-times.ts';
import { getBucket, type UsageBucket } from './periods.ts';

/** Until the end of the answer, of requests that were answered in full; or until its first byte, of whatever had one. */
export type UsageTime = 'latency' | 'firstByte';

export interface TimeCell {
  /** When its bucket begins, in milliseconds since 1970. */
  startMs: number;
  /** How many requests took how long, between which `LATENCY_BOUNDS_MS`. */
  counts: number[];
}

/** How long requests took, bucket by bucket, in no order; buckets without any are absent. */
export async function readUsageTimes(
  db: Connection,
  query: { range: UsageRange; bucket: UsageBucket; timeZone: string; of: UsageTime },
): Promise<TimeCell[]> {
  const column = query.of === 'latency' ? sql`latency_counts` : sql`first_byte_counts`;
  const usage = await findUsageSource(db, query.range, 'hour', { hasTimes: true });
  return db.drizzle
    .select({
      startMs: getBucket(query.bucket, query.timeZone),
      counts: computeSums(column),
    })
    .from(usage.from)
    .where(usage.where)
    .groupBy(sql`1`);
}
