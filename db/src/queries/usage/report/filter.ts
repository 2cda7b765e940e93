import { and, eq, gte, lt, sql, type SQL } from 'drizzle-orm';
import { usageHourly } from '../../../schema/requests.ts';
import type { Connection } from '../../../transaction.ts';
import { readRolledUntil, usageOfAccounts, usageOfKeys } from '../rolls/sources.ts';

/** Which hours of an account count: always bounded, so that the index on account and hour leads to them. */
export interface UsageRange {
  accountId: string;
  from: Date;
  /** The first moment that no longer counts. */
  to: Date;
  keyId?: string | undefined;
  model?: string | undefined;
  /** Only keys that have this tag now; '': only keys without tags. */
  tag?: string | undefined;
}

/** Usage rows as a table `usage`, whose columns differ only by name, and the condition for the rows that count. */
export interface UsageSource {
  from: SQL;
  where: SQL | undefined;
}

/**
 * Chooses the tables of a sum: the hourly rows for one key or tag, the rolled-up rows for a whole account as far as they
 * exist. Either way the sums are those of `usage_hourly`.
 * @param by the grouping of the sums: `key` has no hours, `hour` no keys
 */
export async function findUsageSource(
  db: Connection,
  range: UsageRange,
  by: 'key' | 'hour',
  { hasTimes } = { hasTimes: false },
): Promise<UsageSource> {
  if (range.keyId !== undefined || range.tag !== undefined)
    return { from: sql`(SELECT * FROM usage_hourly WHERE ${isInRange(range)}) AS usage`, where: undefined };
  const until = await readRolledUntil(db);
  const { accountId, from, to, model } = range;
  const hours = { accountIds: [accountId], from, to };
  return {
    from:
      by === 'key' ? usageOfKeys(until, hours, { hasTimes }) : usageOfAccounts(until, hours, { hasTimes }),
    where: model === undefined ? undefined : sql`model = ${model}`,
  };
}

/** The same of `usage_hourly`. */
export function isInRange(range: UsageRange): SQL | undefined {
  return and(
    eq(usageHourly.accountId, range.accountId),
    gte(usageHourly.hour, range.from),
    lt(usageHourly.hour, range.to),
    range.keyId === undefined ? undefined : eq(usageHourly.keyId, range.keyId),
    range.model === undefined ? undefined : eq(usageHourly.model, range.model),
    range.tag === undefined ? undefined : hasTag(range.accountId, range.tag),
  );
}

function hasTag(accountId: string, tag: string): SQL {
  if (tag === '')
    return sql`key_id NOT IN (SELECT id FROM api_keys WHERE account_id = ${accountId} AND tags <> '{}')`;
  return sql`key_id IN (SELECT id FROM api_keys WHERE account_id = ${accountId} AND ${tag} = ANY (tags))`;
}

/** Only keys that have one of the tags now; `''`: also keys without tags. */
export function hasOneTag(accountId: string, tags: readonly string[]): SQL {
  const names = sql.join(
    tags.map((tag) => sql`${tag}`),
    sql`, `,
  );
  const tagged = sql`key_id IN (SELECT id FROM api_keys WHERE account_id = ${accountId} AND tags && ARRAY[${names}]::text[])`;
  return tags.includes('') ? sql`(${tagged} OR ${hasTag(accountId, '')})` : tagged;
}

/** The figures of some hours. */
export interface UsageFigures {
  requests: number;
  /** Failed requests, without requests that the caller aborted. */
  errors: number;
  /** All classes of input, cached ones included. */
  inputTokens: number;
  outputTokens: number;
  costNanoUsd: bigint;
}

export const NO_FIGURES: UsageFigures = {
  requests: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  costNanoUsd: 0n,
};

const count = (column: SQL) => sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number);
export const FIGURES = {
  requests: count(sql`requests`),
  errors: count(sql`errors`),
  inputTokens: count(sql`input_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens`),
  outputTokens: count(sql`output_tokens`),
  costNanoUsd: sql<bigint>`coalesce(sum(cost_nano_usd), 0)`.mapWith(BigInt),
};

export function addFigures(left: UsageFigures, right: UsageFigures): UsageFigures {
  return {
    requests: left.requests + right.requests,
    errors: left.errors + right.errors,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    costNanoUsd: left.costNanoUsd + right.costNanoUsd,
  };
}

/** @returns null if nothing is left */
export function subtractFigures(whole: UsageFigures, part: UsageFigures): UsageFigures | null {
  const requests = whole.requests - part.requests;
  if (requests <= 0) return null;
  return {
    requests,
    errors: whole.errors - part.errors,
    inputTokens: whole.inputTokens - part.inputTokens,
    outputTokens: whole.outputTokens - part.outputTokens,
    costNanoUsd: whole.costNanoUsd - part.costNanoUsd,
  };
}
