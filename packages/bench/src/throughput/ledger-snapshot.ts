import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { ANSWER_COST_NANO_USD } from '../subjects/completion.ts';
import { countHeld } from '../subjects/database-activity.ts';
import type { BenchDatabase } from '../subjects/gateway-database.ts';

/** Of how many requests the cost is computed again. */
const RECOMPUTED = 10_000;

/** What a database says of the metered requests of a run, when no request is in progress. */
export interface LedgerSnapshot {
  name: string;
  /** Metered requests that clients saw answered. */
  answered: number;
  /** Metered requests that are settled as answered in full; clients may have given up on some of them. */
  settled: number;
  /** The sum of what these were billed, and what it must be. */
  billedNanoUsd: bigint;
  dueNanoUsd: bigint;
  held: number;
  /** Invariants of the ledger that do not hold. */
  broken: string[];
}

/** @param since when the first request of the run was made: what was before is no part of it */
export async function readLedgerSnapshot(
  database: BenchDatabase,
  { answered, since, signal }: { answered: number; since: Date; signal: AbortSignal },
): Promise<LedgerSnapshot> {
  const { name, db, meteredKeys } = database;
  const held = await countHeld(db, signal);
  const keyIds = meteredKeys.map(({ id }) => id);
  const [sums] = await db.sql<{ settled: number; billed: bigint }[]>`
    SELECT count(*)::integer AS settled, coalesce(sum(cost_nano_usd), 0)::bigint AS billed
    FROM requests
    WHERE started_at >= ${since.toISOString()}::timestamptz AND key_id = ANY (${keyIds}) AND state = 'settled' AND error_code IS NULL`;
  const { findings } = await verifyLedger(db, { recompute: RECOMPUTED });
  const settled = sums?.settled ?? 0;
  return {
    name,
    answered,
    settled,
    billedNanoUsd: sums?.billed ?? 0n,
    dueNanoUsd: BigInt(settled) * ANSWER_COST_NANO_USD,
    held,
    broken: findings.map(({ check, total }) => `${check} (${total})`),
  };
}
