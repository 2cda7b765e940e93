import { findLastDays } from '@tollgate/core/requests/last-days';
import { and, eq, gte, inArray, sql, sum } from 'drizzle-orm';
import { apiKeys, keyTotals } from '../../schema/api-keys.ts';
import { usageHourly } from '../../schema/requests.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';
import { KEY_COLUMNS, type KeyFields } from './key-columns.ts';

const RECENT_USE_DAYS = 7;

/** A key as a list shows it. */
export interface KeySummary extends KeyFields {
  lastUsedAt: Date | null;
  tags: string[];
  /** Part of what is spent: moved to or from another key by a rotation. */
  carriedNanoUsd: bigint;
  /** The key that this key replaces. */
  replacesKeyId: string | null;
  /** The key that replaces this key. */
  replacedBy: string | null;
  last7Days: { requests: number; costNanoUsd: bigint };
}

/** A key with what only its own page shows. */
export interface KeyDetail extends KeySummary {
  /** By requests in flight. */
  heldNanoUsd: bigint;
  /** The creator's email; null: the command line, or a deleted user. */
  createdBy: string | null;
}

/** The last days of a key's use are those of the calendar in a time zone. */
export interface KeyUseTime {
  nowMs: number;
  timeZone: string;
}

/** Of `api_keys` joined with `key_totals`; the use of late is added by {@link addRecentUse}. */
export const SUMMARY_COLUMNS = {
  ...KEY_COLUMNS,
  lastUsedAt: keyTotals.lastUsedAt,
  tags: apiKeys.tags,
  carriedNanoUsd: keyTotals.carriedNanoUsd,
  replacesKeyId: apiKeys.replacesKeyId,
  replacedBy: sql<string | null>`(SELECT s.id FROM api_keys s WHERE s.successor_of = ${apiKeys.id})`,
};

/** @returns null if the account has no such key */
export async function findKeyDetail(
  db: Connection,
  query: { accountId: string; keyId: string } & KeyUseTime,
): Promise<KeyDetail | null> {
  const rows = await db.drizzle
    .select({ ...SUMMARY_COLUMNS, heldNanoUsd: keyTotals.heldNanoUsd, createdBy: users.email })
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .leftJoin(users, eq(users.id, apiKeys.createdBy))
    .where(and(eq(apiKeys.accountId, query.accountId), eq(apiKeys.id, query.keyId)));
  const [key] = await addRecentUse(db, rows, query);
  return key ?? null;
}

/** Adds what the keys did in the last seven days. */
export async function addRecentUse<T extends { id: string }>(
  db: Connection,
  rows: T[],
  time: KeyUseTime,
): Promise<(T & Pick<KeySummary, 'last7Days'>)[]> {
  if (rows.length === 0) return [];
  const use = await db.drizzle
    .select({
      keyId: usageHourly.keyId,
      requests: sum(usageHourly.requests).mapWith(Number),
      costNanoUsd: sum(usageHourly.costNanoUsd).mapWith(BigInt),
    })
    .from(usageHourly)
    .where(
      and(
        inArray(
          usageHourly.keyId,
          rows.map((row) => row.id),
        ),
        gte(usageHourly.hour, new Date(findLastDays({ days: RECENT_USE_DAYS, ...time }).fromMs)),
      ),
    )
    .groupBy(usageHourly.keyId);
  const byKey = new Map(use.map((row) => [row.keyId, row]));
  return rows.map((row) => {
    const found = byKey.get(row.id);
    return {
      ...row,
      last7Days: { requests: found?.requests ?? 0, costNanoUsd: found?.costNanoUsd ?? 0n },
    };
  });
}
