import { sql } from 'drizzle-orm';
import type { Connection } from '../../../transaction.ts';
import { CHANGE, isInRange } from './entry-month.ts';

export interface KeyCharge {
  keyId: string;
  /** null: the key was deleted. */
  keyName: string | null;
  /** As they are now; null: the key was deleted. */
  keyTags: string[] | null;
  /** What its usage entries of the month took from the balance; below 0 if corrections gave back more. */
  chargedNanoUsd: bigint;
}

interface ModelCharge {
  keyId: string;
  /** '' if the model was never known. */
  model: string;
  requests: number;
  chargedNanoUsd: bigint;
}

/** Usage charges of a month. The keys add up to the month's usage; the models and `otherMonthsNanoUsd` too. */
export interface StatementUsage {
  /** The highest charge first. */
  byKey: KeyCharge[];
  /** By key and model, for the hours of the month, as far as they are posted. */
  byModel: ModelCharge[];
  /** Charges of other months that were posted in this one, less charges of this month that were posted later. */
  otherMonthsNanoUsd: bigint;
}

interface UsageQuery {
  accountId: string;
  from: Date;
  to: Date;
  /** Change of the balance by the usage of the month. */
  totalNanoUsd: bigint;
}

/** Ledger entries have no model. The amounts of models are those of which the entries are the sum. */
export async function readStatementUsage(tx: Connection, query: UsageQuery): Promise<StatementUsage> {
  const { accountId, from, to, totalNanoUsd } = query;
  const byKey = await tx.drizzle.execute<KeyCharge & Record<string, unknown>>(sql`
    SELECT e.key_id AS "keyId", k.name AS "keyName", k.tags AS "keyTags", e.charged AS "chargedNanoUsd"
    FROM (
      SELECT key_id, -sum(${CHANGE})::bigint AS charged FROM ledger_entries
      WHERE account_id = ${accountId} AND kind = 'usage' AND ${isInRange({ from, to })} GROUP BY key_id
    ) AS e
    LEFT JOIN api_keys k ON k.id = e.key_id AND k.account_id = ${accountId}
    ORDER BY e.charged DESC, e.key_id`);
  const byModel = await tx.drizzle.execute<ModelCharge & Record<string, unknown>>(sql`
    SELECT key_id AS "keyId", model, sum(requests)::float8 AS requests,
      sum(posted_nano_usd)::bigint AS "chargedNanoUsd"
    FROM usage_hourly
    WHERE account_id = ${accountId} AND posted_nano_usd <> 0
      AND hour >= ${from.toISOString()}::timestamptz AND hour < ${to.toISOString()}::timestamptz
    GROUP BY key_id, model ORDER BY 4 DESC, 1, 2`);
  const inModels = byModel.reduce((sum, row) => sum + row.chargedNanoUsd, 0n);
  return { byKey: [...byKey], byModel: [...byModel], otherMonthsNanoUsd: -totalNanoUsd - inModels };
}
