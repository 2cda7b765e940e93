import type { TokenUsage } from '@tollgate/core/money/money';
import { and, asc, gt, sql } from 'drizzle-orm';
import type { Connection } from '../../../transaction.ts';
import { FIGURES, findUsageSource, type UsageRange } from './filter.ts';
import { findGroupedSource, type UsageGroupBy } from './grouped-source.ts';

export interface ExportedUsage extends TokenUsage {
  /** As the column of {@link findGroupedSource}; '' without grouping. */
  group: string;
  requests: number;
  errors: number;
  costNanoUsd: bigint;
}

interface ExportQuery {
  range: UsageRange;
  /** null: all in one row. */
  by: UsageGroupBy | null;
  /** The last group of the rows before. */
  after: string | undefined;
  limit: number;
}

/** Some groups of a range in the order of their names, with every class of token apart. */
export async function listUsageForExport(db: Connection, query: ExportQuery): Promise<ExportedUsage[]> {
  const usage =
    query.by === null
      ? { ...(await findUsageSource(db, query.range, 'hour')), group: null }
      : await findGroupedSource(db, query.range, query.by);
  const column = usage.group;
  const { requests, errors, outputTokens, costNanoUsd } = FIGURES;
  const isAfter = column === null || query.after === undefined ? undefined : gt(column, query.after);
  return db.drizzle
    .select({
      group: sql<string>`${column ?? sql`''::text`}`,
      requests,
      errors,
      inputTokens: total(sql`input_tokens`),
      cacheReadTokens: total(sql`cache_read_tokens`),
      cacheWriteTokens: total(sql`cache_write_tokens`),
      cacheWrite1hTokens: total(sql`cache_write_1h_tokens`),
      outputTokens,
      costNanoUsd,
    })
    .from(usage.from)
    .where(and(usage.where, isAfter))
    .groupBy(sql`1`)
    .orderBy(asc(sql`1`))
    .limit(query.limit);
}

const total = (column: ReturnType<typeof sql>) => sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number);
