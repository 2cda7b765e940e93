import {
  LedgerStoreError,
  type BalanceTotals,
  type HoldRequest,
  type HoldVerdict,
  type KeyTotals,
  type LedgerBatch,
  type LedgerCommit,
  type RequestRecord,
} from '@tollgate/core/money/ledger';
import type postgres from 'postgres';
import { toPlainArray, toTextArray } from '../../array-text.ts';
import { isRowError } from '../../row-error.ts';
import { RowText } from '../../row-text.ts';
import { LATE_AFTER_MS } from '../usage/rolls/late-hours.ts';
import { writeHold } from './write-hold.ts';
import { writeSettlement } from './write-settlement.ts';

/** Reused by all batches, which are written synchronously. */
const rowText = new RowText();

interface Row {
  kind: 'h' | 'k' | 'b';
  place: bigint | null;
  subject: string;
  amount: bigint;
  held: bigint | null;
}

/**
 * Settles and admits everything in the batch, in one transaction and one round trip. A repeated batch counts once.
 * @throws LedgerStoreError `rejected` if a row cannot be stored: nothing is stored then; `unavailable` if the
 *   database does not answer: it may have been committed
 */
export async function commitLedgerBatch(sql: postgres.Sql, batch: LedgerBatch): Promise<LedgerCommit> {
  const { settlements, holds } = batch;
  try {
    const rows = await sql<Row[]>`${markLate(sql, settlements)}
      SELECT kind, place, subject, amount, held FROM commit_ledger_batch(
        ${batch.replicaId}, ${batch.isRetry},
        ${rowText.array(settlements, writeSettlement)}::text::settlement[],
        ${rowText.array(holds, writeHold)}::text::hold[])`;
    return readCommit(rows, holds);
  } catch (error) {
    throw new LedgerStoreError(isRowError(error) ? 'rejected' : 'unavailable', error);
  }
}

/**
 * Usage of hours long past is rolled up already: late settlements mark their hour to be summed up again, in the same
 * transaction. Nearly no batch has any, and then its statement is the plain one.
 */
function markLate(sql: postgres.Sql, settlements: readonly RequestRecord[]) {
  const lateUntilMs = Date.now() - LATE_AFTER_MS;
  const late = settlements.filter(({ startedAtMs }) => startedAtMs < lateUntilMs);
  if (late.length === 0) return sql``;
  return sql`WITH late AS (
    INSERT INTO usage_late_hours (account_id, key_id, hour)
    SELECT DISTINCT account_id, key_id, date_trunc('hour', to_timestamp(started_ms / 1000.0), 'UTC')
    FROM unnest(
      ${toTextArray(late.map((r) => r.accountId))}::text::text[], ${toTextArray(late.map((r) => r.keyId))}::text::text[],
      ${toPlainArray(late.map((r) => r.startedAtMs))}::text::bigint[]
    ) AS settled(account_id, key_id, started_ms))`;
}

function readCommit(rows: readonly Row[], holds: readonly HoldRequest[]): LedgerCommit {
  // Without another verdict a hold was granted its worst case.
  const verdicts: HoldVerdict[] = holds.map(({ wantNanoUsd }) => ({ ok: true, grantedNanoUsd: wantNanoUsd }));
  const keys: KeyTotals[] = [];
  const balances: BalanceTotals[] = [];
  for (const { kind, place, subject, amount, held } of rows) {
    if (kind === 'h') verdicts[Number(place) - 1] = toVerdict(subject, amount);
    else if (kind === 'k') keys.push({ keyId: subject, spentNanoUsd: amount, heldNanoUsd: held ?? 0n });
    else balances.push({ accountId: subject, availableNanoUsd: amount, heldNanoUsd: held ?? 0n });
  }
  return { verdicts, keys, balances };
}

function toVerdict(name: string, amount: bigint): HoldVerdict {
  switch (name) {
    case 'granted':
      return { ok: true, grantedNanoUsd: amount };
    case 'budget_exceeded':
    case 'insufficient_balance':
    case 'reserved':
    case 'gone':
      return { ok: false, reason: name, leftNanoUsd: amount };
    default:
      throw new Error(`commit_ledger_batch gave the unknown verdict ${name}`);
  }
}
