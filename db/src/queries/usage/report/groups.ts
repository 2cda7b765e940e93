import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { apiKeys, keyTotals } from '../../../schema/api-keys.ts';
import type { Connection } from '../../../transaction.ts';
import { FIGURES, type UsageFigures, type UsageRange } from './filter.ts';
import { findGroupedSource, type UsageGroupBy } from './grouped-source.ts';

export interface UsageGroupFigures extends UsageFigures {
  /** As the column of {@link findGroupedSource}. */
  id: string;
}

/** The figure by which groups are ordered. */
export type UsageOrder = 'cost' | 'requests' | 'tokens';

interface GroupsQuery {
  range: UsageRange;
  by: UsageGroupBy;
  order: UsageOrder;
  limit: number;
  /** Only these. */
  ids?: string[];
}

/** The largest groups of a range, the largest first. */
export async function listUsageGroups(db: Connection, query: GroupsQuery): Promise<UsageGroupFigures[]> {
  if (query.ids?.length === 0) return [];
  const { group: column, ...usage } = await findGroupedSource(db, query.range, query.by);
  return db.drizzle
    .select({ id: column, ...FIGURES })
    .from(usage.from)
    .where(and(usage.where, query.ids && inArray(column, query.ids)))
    .groupBy(column)
    .orderBy(desc(ORDERS[query.order]), desc(FIGURES.requests), column)
    .limit(query.limit);
}

const ORDERS = {
  cost: FIGURES.costNanoUsd,
  requests: FIGURES.requests,
  tokens: sql`sum(input_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens + output_tokens)`,
};

export interface NamedKey {
  id: string;
  name: string;
  tags: string[];
  /** Over its whole life. */
  spentNanoUsd: bigint;
  /** null: no limit. */
  maxBudgetNanoUsd: bigint | null;
  hasEnded: boolean;
}

/** Names of some keys of an account. */
export async function nameKeys(
  db: Connection,
  query: { accountId: string; ids: string[]; nowMs: number },
): Promise<NamedKey[]> {
  if (query.ids.length === 0) return [];
  const now = new Date(query.nowMs).toISOString();
  return db.drizzle
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      tags: apiKeys.tags,
      spentNanoUsd: keyTotals.spentNanoUsd,
      maxBudgetNanoUsd: apiKeys.maxBudgetNanoUsd,
      hasEnded: sql<boolean>`(revoked_at IS NOT NULL
        OR coalesce(least(expires_at, ends_at) <= ${now}::timestamptz, false))`,
    })
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .where(and(eq(apiKeys.accountId, query.accountId), inArray(apiKeys.id, query.ids)));
}
