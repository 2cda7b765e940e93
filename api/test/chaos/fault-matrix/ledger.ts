import type { Database } from '@tollgate/db/client';

/** The record of one request. */
export interface LedgerRow {
  id: string;
  state: string;
  status: number;
  errorCode: string | null;
  provider: string | null;
  inputTokens: number;
  outputTokens: number;
  isEstimated: boolean;
  costNanoUsd: bigint;
  /** The rest of the hold, of a request that is settled. */
  model: string | null;
}

export interface Ledger {
  rows: readonly LedgerRow[];
  /** What is on hold in all keys and balances. */
  heldNanoUsd: bigint;
  heldRequests: number;
  spentNanoUsd: bigint;
}

/** Everything at one moment. */
export async function readLedger(db: Database): Promise<Ledger> {
  return db.sql.begin('isolation level repeatable read', async (sql) => {
    const rows = await sql<LedgerRow[]>`
    SELECT id, state, status, error_code AS "errorCode", provider, model, input_tokens AS "inputTokens",
      output_tokens AS "outputTokens", estimated AS "isEstimated", cost_nano_usd AS "costNanoUsd"
    FROM requests`;
    const [totals] = await sql<Omit<Ledger, 'rows'>[]>`
    SELECT (SELECT coalesce(sum(held_nano_usd), 0) FROM key_totals)::bigint
        + (SELECT coalesce(sum(held_nano_usd), 0) FROM balances)::bigint AS "heldNanoUsd",
      (SELECT count(*) FROM held_requests)::integer AS "heldRequests",
      (SELECT coalesce(sum(spent_nano_usd), 0) FROM key_totals)::bigint AS "spentNanoUsd"`;
    if (totals === undefined) throw new Error('The database returns no totals');
    return { rows, ...totals };
  });
}
