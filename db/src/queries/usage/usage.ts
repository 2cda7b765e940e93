import type { TokenUsage } from '@tollgate/core/money/money';
import { and, asc, eq, gte, sql, sum, type SQL } from 'drizzle-orm';
import { apiKeys } from '../../schema/api-keys.ts';
import { usageHourly } from '../../schema/requests.ts';
import type { Connection } from '../../transaction.ts';

export const USAGE_GROUPS = ['model', 'key', 'day'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

export interface UsageSum extends TokenUsage {
  requests: number;
  /** Failed requests, without requests that the caller aborted. */
  errors: number;
  costNanoUsd: bigint;
  /** The part of the cost that balances paid; the rest came on plans that charge nothing. */
  chargedNanoUsd: bigint;
}

export interface UsageRow extends UsageSum {
  /** The model ('' if it was never known), the key's id, or the UTC day as `2026-11-20`. */
  group: string;
  /** The key's name if the rows are keys. */
  keyName: string | null;
}

export interface UsageFilter {
  accountId: string | null;
  keyId: string | null;
  /** Counts from the start of the UTC hour in which it lies, since usage is kept by the hour. */
  since: Date | null;
}

/** Sums usage by model, key or UTC day; reads only the hourly rollup. */
export async function listUsage(db: Connection, filter: UsageFilter, group: UsageGroup): Promise<UsageRow[]> {
  const column = GROUP_COLUMNS[group];
  return db.drizzle
    .select({
      group: sql<string>`${column}`,
      keyName: group === 'key' ? sql<string | null>`max(${apiKeys.name})` : sql<null>`NULL`,
      ...SUMS,
    })
    .from(usageHourly)
    .leftJoin(apiKeys, eq(apiKeys.id, usageHourly.keyId))
    .where(matches(filter))
    .groupBy(column)
    .orderBy(asc(column));
}

/** The sum over everything that the filter lets through. */
export async function sumUsage(db: Connection, filter: UsageFilter): Promise<UsageSum> {
  const [total] = await db.drizzle.select(SUMS).from(usageHourly).where(matches(filter));
  if (total === undefined) throw new Error('An aggregate without GROUP BY returned no row');
  return total;
}

const GROUP_COLUMNS: Record<UsageGroup, SQL> = {
  model: sql`${usageHourly.model}`,
  key: sql`${usageHourly.keyId}`,
  day: sql`to_char(${usageHourly.hour} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
};

const orZero = (amount: SQL<string | null>) => sql`coalesce(${amount}, 0)`;
const SUMS = {
  requests: orZero(sum(usageHourly.requests)).mapWith(Number),
  errors: orZero(sum(usageHourly.errors)).mapWith(Number),
  inputTokens: orZero(sum(usageHourly.inputTokens)).mapWith(Number),
  cacheReadTokens: orZero(sum(usageHourly.cacheReadTokens)).mapWith(Number),
  cacheWriteTokens: orZero(sum(usageHourly.cacheWriteTokens)).mapWith(Number),
  cacheWrite1hTokens: orZero(sum(usageHourly.cacheWrite1hTokens)).mapWith(Number),
  outputTokens: orZero(sum(usageHourly.outputTokens)).mapWith(Number),
  costNanoUsd: orZero(sum(usageHourly.costNanoUsd)).mapWith(BigInt),
  chargedNanoUsd: orZero(sum(usageHourly.chargedNanoUsd)).mapWith(BigInt),
};

function matches(filter: UsageFilter): SQL | undefined {
  return and(
    filter.accountId === null ? undefined : eq(usageHourly.accountId, filter.accountId),
    filter.keyId === null ? undefined : eq(usageHourly.keyId, filter.keyId),
    filter.since === null ? undefined : gte(usageHourly.hour, startOfHour(filter.since)),
  );
}

function startOfHour(moment: Date): Date {
  const start = new Date(moment);
  start.setUTCMinutes(0, 0, 0);
  return start;
}
