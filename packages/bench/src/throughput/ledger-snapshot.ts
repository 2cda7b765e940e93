import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { ANSWER_COST_NANO_USD, PRICES } from '../subjects/completion.ts';
import { countHeld } from '../subjects/database-activity.ts';
import type { BenchDatabase } from '../subjects/gateway-database.ts';

/** Of how many requests the cost is computed again. */
const RECOMPUTED = 10_000;
/** Prices of one token; they are whole numbers. */
const INPUT_NANO_USD = Number(PRICES.inputNanoUsdPerMtok / 1_000_000n);
const OUTPUT_NANO_USD = Number(PRICES.outputNanoUsdPerMtok / 1_000_000n);

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

interface SnapshotOptions {
  answered: number;
  /** When the first request of the run was made: what was before is no part of it. */
  since: Date;
  /** Whether every answer reports the same usage. Otherwise what is due follows from the recorded usage. */
  isUniform: boolean;
  signal: AbortSignal;
}

export async function readLedgerSnapshot(
  database: BenchDatabase,
  { answered, since, isUniform, signal }: SnapshotOptions,
): Promise<LedgerSnapshot> {
  const { name, db, meteredKeys } = database;
  const held = await countHeld(db, signal);
  const keyIds = meteredKeys.map(({ id }) => id);
  const [sums] = await db.sql<{ settled: number; billed: bigint; due: bigint }[]>`
    SELECT count(*)::integer AS settled, coalesce(sum(cost_nano_usd), 0)::bigint AS billed,
      coalesce(sum(${INPUT_NANO_USD} * input_tokens + ${OUTPUT_NANO_USD} * output_tokens), 0)::bigint AS due
    FROM requests
    WHERE started_at >= ${since.toISOString()}::timestamptz AND key_id = ANY (${keyIds}) AND state = 'settled' AND error_code IS NULL`;
  const { findings } = await verifyLedger(db, { recompute: RECOMPUTED });
  const settled = sums?.settled ?? 0;
  return {
    name,
    answered,
    settled,
    billedNanoUsd: sums?.billed ?? 0n,
    dueNanoUsd: isUniform ? BigInt(settled) * ANSWER_COST_NANO_USD : (sums?.due ?? 0n),
    held,
    broken: findings.map(({ check, total }) => `${check} (${total})`),
  };
}
