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

import { toPlainArray, toTextArray, type PlainValue } from '../../array-text.ts';
import { isRowFault } from '../../row-fault.ts';
import { LATE_AFTER_MS } from '../usage/rolls/late-hours.ts';

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
  const texts = (read: (record: RequestRecord) => string | null) => toTextArray(settlements.map(read));
  const values = (read: (record: RequestRecord) => PlainValue) => toPlainArray(settlements.map(read));
  /** A column that is null in nearly every batch is sent empty then: the database fills it up with NULL. */
  const rare = <T>(
    read: (record: RequestRecord) => T | null | undefined,
    write: (column: (T | null)[]) => string,
  ) => {
    const column = settlements.map((record) => read(record) ?? null);
    return write(column.every((value) => value === null) ? [] : column);
  };
  const jsons = (read: (record: RequestRecord) => object | null | undefined) =>
    rare((record) => {
      const value = read(record) ?? null;
      return value === null ? null : JSON.stringify(value);
    }, toTextArray);
  const holdTexts = (read: (hold: HoldRequest) => string) => toTextArray(holds.map(read));
  const holdValues = (read: (hold: HoldRequest) => PlainValue) => toPlainArray(holds.map(read));
  try {
    const rows = await sql<Row[]>`${markLate(sql, settlements)}
      SELECT kind, place, subject, amount, held FROM commit_ledger_batch(
        ${batch.replicaId}, ${batch.isRetry},
        ${texts((r) => r.id)}::text::text[], ${values((r) => r.startedAtMs)}::text::bigint[],
        ${texts((r) => r.accountId)}::text::text[], ${texts((r) => r.keyId)}::text::text[],
        ${texts((r) => r.endpoint)}::text::text[], ${texts((r) => r.model)}::text::text[],
        ${texts((r) => r.provider)}::text::text[], ${texts((r) => r.upstreamModel)}::text::text[],
        ${texts((r) => r.routeId)}::text::text[],
        ${texts((r) => (r.attempts === null ? null : JSON.stringify(r.attempts)))}::text::text[],
        ${values((r) => r.streamed)}::text::boolean[], ${values((r) => r.status)}::text::integer[],
        ${texts((r) => r.errorCode)}::text::text[], ${values((r) => r.inputTokens)}::text::integer[],
        ${values((r) => r.cacheReadTokens)}::text::integer[], ${values((r) => r.cacheWriteTokens)}::text::integer[],
        ${values((r) => r.cacheWrite1hTokens)}::text::integer[], ${values((r) => r.outputTokens)}::text::integer[],
        ${values((r) => r.estimated)}::text::boolean[], ${values((r) => r.priceId)}::text::bigint[],
        ${values((r) => r.pricePpm)}::text::integer[], ${values((r) => r.costNanoUsd)}::text::bigint[],
        ${values((r) => r.operatorCostNanoUsd)}::text::bigint[], ${values((r) => r.latencyMs)}::text::integer[],
        ${values((r) => r.firstByteMs)}::text::integer[], ${values((r) => r.queueMs)}::text::integer[],
        ${values((r) => r.holdMs)}::text::integer[], ${values((r) => r.connectMs)}::text::integer[],
        ${values((r) => r.isHeld)}::text::boolean[], ${values((r) => r.recovered)}::text::boolean[],
        ${texts((r) => r.rawUsage ?? null)}::text::text[],
        ${jsons((r) => r.extras)}::text::text[], ${jsons((r) => r.billedTerms)}::text::text[],
        ${jsons((r) => r.servedTerms)}::text::text[],
        ${rare((r) => r.reportedCostNanoUsd, toPlainArray)}::text::bigint[],
        ${rare((r) => r.priceMismatch, toTextArray)}::text::text[],
        ${holdTexts((h) => h.id)}::text::text[], ${holdValues((h) => h.startedAtMs)}::text::bigint[],
        ${holdTexts((h) => h.accountId)}::text::text[], ${holdTexts((h) => h.keyId)}::text::text[],
        ${holdTexts((h) => h.endpoint)}::text::text[], ${holdTexts((h) => h.model)}::text::text[],
        ${holdValues((h) => h.streamed)}::text::boolean[], ${holdValues((h) => h.priceId)}::text::bigint[],
        ${holdValues((h) => h.pricePpm)}::text::integer[], ${holdValues((h) => h.inputTokens)}::text::integer[],
        ${holdValues((h) => h.inputCostNanoUsd)}::text::bigint[],
        ${holdValues((h) => h.chargesBalance)}::text::boolean[],
        ${holdValues((h) => h.keyCapNanoUsd)}::text::bigint[], ${holdValues((h) => h.wantNanoUsd)}::text::bigint[],
        ${holdValues((h) => h.softNanoUsd)}::text::bigint[], ${holdValues((h) => h.minNanoUsd)}::text::bigint[])`;
    return readCommit(rows, holds);
  } catch (error) {
    throw new LedgerStoreError(isRowFault(error) ? 'rejected' : 'unavailable', error);
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
