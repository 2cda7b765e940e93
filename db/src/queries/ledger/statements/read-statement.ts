import {
  findMonth,
  getMonthRange,
  getStatementState,
  type StatementMonth,
} from '@tollgate/core/money/statement-month';
import { eq, sql } from 'drizzle-orm';
import { balances } from '../../../schema/ledger.ts';
import type { Connection } from '../../../transaction.ts';
import type { LedgerEntry } from '../post-entry.ts';
import { findAccountName } from '../../accounts/account-name.ts';
import { readBillingDetails, type BillingDetails } from '../../documents/billing-details.ts';
import { listIssuedDocuments, type DocumentHead } from '../../documents/list-documents.ts';
import { getUnposted, readRolledUntil } from '../../usage/rolls/sources.ts';
import { CHANGE, isInRange } from './entry-month.ts';
import { noSums, sumChanges, type StatementHead } from './list-statements.ts';
import { readStatementUsage, type StatementUsage } from './statement-usage.ts';

/** An entry of a statement that is not usage. */
export interface StatementMovement {
  id: string;
  at: Date;
  kind: Exclude<LedgerEntry['kind'], 'usage'>;
  changeNanoUsd: bigint;
  reason: string | null;
  paymentId: string | null;
  /** The receipt or credit note of the same amount; null: it has none. */
  documentId: string | null;
  documentNumber: string | null;
}

/** Amounts of an account that its ledger does not have yet. */
export interface PendingAmounts {
  /** Charged already, posted within the hour. */
  usageNanoUsd: bigint;
  /** Worst cases of requests in progress. */
  heldNanoUsd: bigint;
}

export interface Statement extends StatementHead {
  from: Date;
  /** Exclusive. */
  to: Date;
  /** What is not in the ledger yet, of the month in progress; null: another month. */
  pending: PendingAmounts | null;
  /** The oldest first. */
  movements: StatementMovement[];
  usage: StatementUsage;
  /** Receipts and credit notes of the month, the oldest first. */
  documents: DocumentHead[];
  customer: BillingDetails;
  accountName: string;
}

interface StatementQuery {
  accountId: string;
  month: StatementMonth;
  nowMs: number;
}

/**
 * One month of an account, from one snapshot of the ledger.
 * @returns null before the account's first entry and after the current month
 */
export async function readStatement(db: Connection, query: StatementQuery): Promise<Statement | null> {
  return db.drizzle.transaction((tx) => readSnapshot({ drizzle: tx }, query), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  });
}

async function readSnapshot(
  tx: Connection,
  { accountId, month, nowMs }: StatementQuery,
): Promise<Statement | null> {
  const { from, to, finalAt } = getMonthRange(month);
  const before = await sumBefore(tx, accountId, from);
  const sums = noSums();
  const rows = await tx.drizzle.execute<{ kind: LedgerEntry['kind']; change: bigint }>(sql`
    SELECT kind, sum(${CHANGE})::bigint AS change FROM ledger_entries
    WHERE account_id = ${accountId} AND ${isInRange({ from, to })} GROUP BY kind`);
  const hasBegun = before.entries > 0 || rows.length > 0;
  if (!hasBegun || (month > findMonth(new Date(nowMs)) && rows.length === 0)) return null;
  for (const { kind, change } of rows) sums[kind] = change;
  const state = getStatementState(month, nowMs);
  return {
    month,
    from,
    to,
    finalAt,
    state,
    pending: state === 'open' ? await readPending(tx, accountId) : null,
    openingNanoUsd: before.change,
    sums,
    closingNanoUsd: before.change + sumChanges(sums),
    movements: await listMovements(tx, accountId, { from, to }),
    documents: await listIssuedDocuments(tx, { accountId, from, to }),
    customer: await readBillingDetails(tx, accountId),
    accountName: (await findAccountName(tx, accountId)) ?? '',
    usage: await readStatementUsage(tx, { accountId, from, to, totalNanoUsd: sums.usage }),
  };
}

async function readPending(tx: Connection, accountId: string): Promise<PendingAmounts> {
  const rolledUntil = await readRolledUntil(tx);
  const [row] = await tx.drizzle
    .select({ heldNanoUsd: balances.heldNanoUsd, usageNanoUsd: getUnposted(rolledUntil, accountId) })
    .from(balances)
    .where(eq(balances.accountId, accountId));
  return row ?? { heldNanoUsd: 0n, usageNanoUsd: 0n };
}

async function sumBefore(
  tx: Connection,
  accountId: string,
  from: Date,
): Promise<{ change: bigint; entries: number }> {
  const [row] = await tx.drizzle.execute<{ change: bigint; entries: number }>(sql`
    SELECT coalesce(sum(${CHANGE}), 0)::bigint AS change, count(*)::float8 AS entries FROM ledger_entries
    WHERE account_id = ${accountId} AND ${isInRange({ from: null, to: from })}`);
  if (row === undefined) throw new Error('An aggregate without GROUP BY returned no row');
  return row;
}

async function listMovements(
  tx: Connection,
  accountId: string,
  range: { from: Date; to: Date },
): Promise<StatementMovement[]> {
  const rows = await tx.drizzle.execute<{
    id: string;
    at: string;
    kind: StatementMovement['kind'];
    change: bigint;
    reason: string | null;
    payment_id: string | null;
    document_id: string | null;
    document_number: string | null;
  }>(sql`
    SELECT e.id, e.at, e.kind, e.change, e.reason, e.payment_id, d.id AS document_id, d.number AS document_number
    FROM (
      SELECT id, at, kind, ${CHANGE} AS change, reason, payment_id, idempotency_key
      FROM ledger_entries
      WHERE account_id = ${accountId} AND kind <> 'usage' AND ${isInRange(range)}
    ) AS e
    LEFT JOIN billing_documents d ON d.entry_key = e.idempotency_key AND d.account_id = ${accountId}
    ORDER BY e.at, e.id`);
  return rows.map(({ id, at, kind, change, reason, payment_id, document_id, document_number }) => ({
    id,
    at: new Date(at),
    kind,
    changeNanoUsd: change,
    reason,
    paymentId: payment_id,
    documentId: document_id,
    documentNumber: document_number,
  }));
}
