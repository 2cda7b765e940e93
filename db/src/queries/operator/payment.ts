import { and, asc, eq, sql } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { balances, ledgerEntries } from '../../schema/ledger.ts';
import { autoTopUps, payments, refundRequests } from '../../schema/payments.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';
import { listHeadsForOperator, type DocumentHead } from '../documents/list-documents.ts';
import type { LedgerEntry } from '../ledger/post-entry.ts';
import type { Payment } from '../payments/payments.ts';
import type { RefundRequest } from '../payments/refund-requests.ts';
import { listReversals, type Reversal } from '../payments/reversals.ts';

interface PaymentEntry {
  id: string;
  at: Date;
  kind: LedgerEntry['kind'];
  /** Signed: above 0 if the account was given something. */
  changeNanoUsd: bigint;
}

export interface PaymentDetail {
  payment: Payment;
  accountName: string;
  /** null: an automatic top-up, or a deleted user. */
  createdByEmail: string | null;
  /** The oldest first, as are the entries. */
  reversals: Reversal[];
  requests: (RefundRequest & { requestedByEmail: string | null })[];
  /** Of the account. */
  availableNanoUsd: bigint;
  /** Of the account's automatic top-ups; null: they are off. */
  autoTopUpBelowNanoUsd: bigint | null;
  entries: PaymentEntry[];
  /** Its receipt and what corrects it, the oldest first. */
  documents: DocumentHead[];
}

/** A payment of any account with the ledger entries for it. @returns null if there is no payment of that id */
export async function findPaymentForOperator(db: Connection, id: string): Promise<PaymentDetail | null> {
  const [row] = await db.drizzle
    .select({
      payment: payments,
      accountName: accounts.name,
      createdByEmail: users.email,
      availableNanoUsd: balances.availableNanoUsd,
      autoTopUpBelowNanoUsd: autoTopUps.thresholdNanoUsd,
    })
    .from(payments)
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .innerJoin(balances, eq(balances.accountId, payments.accountId))
    .leftJoin(users, eq(users.id, payments.createdBy))
    .leftJoin(autoTopUps, and(eq(autoTopUps.accountId, payments.accountId), eq(autoTopUps.enabled, true)))
    .where(eq(payments.id, id));
  if (row === undefined) return null;
  const [reversals, requests, entries, documents] = await Promise.all([
    listReversals(db, id),
    listRequests(db, id),
    listPaymentEntries(db, id),
    listHeadsForOperator(db, [id]),
  ]);
  return { ...row, reversals, requests, entries, documents };
}

async function listRequests(db: Connection, paymentId: string): Promise<PaymentDetail['requests']> {
  const rows = await db.drizzle
    .select({ request: refundRequests, requestedByEmail: users.email })
    .from(refundRequests)
    .leftJoin(users, eq(users.id, refundRequests.requestedBy))
    .where(eq(refundRequests.paymentId, paymentId))
    .orderBy(asc(refundRequests.createdAt), asc(refundRequests.id));
  return rows.map(({ request, requestedByEmail }) => ({ ...request, requestedByEmail }));
}

/** One for the top-up, and at most two for each refund or dispute. */
async function listPaymentEntries(db: Connection, paymentId: string): Promise<PaymentEntry[]> {
  return db.drizzle
    .select({
      id: ledgerEntries.id,
      at: ledgerEntries.at,
      kind: ledgerEntries.kind,
      changeNanoUsd: sql<bigint>`CASE WHEN ${ledgerEntries.credit} = 'wallet'
        THEN ${ledgerEntries.amountNanoUsd} ELSE -${ledgerEntries.amountNanoUsd} END`.mapWith(BigInt),
    })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.paymentId, paymentId))
    .orderBy(asc(ledgerEntries.at), asc(ledgerEntries.id));
}
