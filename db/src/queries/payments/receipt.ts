import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { payments } from '../../schema/payments.ts';
import type { Connection } from '../../transaction.ts';
import type { Payment } from './payments.ts';
import { listReversals, type Reversal } from './reversals.ts';

export interface Receipt {
  payment: Payment & { receiptNumber: string; paidAt: Date };
  accountName: string;
  /** Of the account: its members need a session that proved a second factor. */
  requiresTwoFactor: boolean;
  /** The refunds and disputes that took something back and still do. */
  reversals: Reversal[];
}

/**
 * @param asked.userId must be a member of the account; null: an operator, for any account
 * @returns null if there is no such payment, it was not paid, or the person is in another account
 */
export async function findReceipt(
  db: Connection,
  asked: { paymentId: string; userId: string | null },
): Promise<Receipt | null> {
  const { paymentId, userId } = asked;
  const [row] = await db.drizzle
    .select({
      payment: payments,
      accountName: accounts.name,
      requiresTwoFactor: accounts.requiresTwoFactor,
    })
    .from(payments)
    .innerJoin(accounts, eq(accounts.id, payments.accountId))
    .where(
      and(
        eq(payments.id, paymentId),
        isNotNull(payments.paidAt),
        userId === null ? undefined : inArray(payments.accountId, getAccounts(db, userId)),
      ),
    );
  if (row === undefined) return null;
  const { receiptNumber, paidAt } = row.payment;
  if (receiptNumber === null || paidAt === null) return null;
  const reversals = await listReversals(db, row.payment.id);
  return {
    payment: { ...row.payment, receiptNumber, paidAt },
    accountName: row.accountName,
    requiresTwoFactor: row.requiresTwoFactor,
    reversals: reversals.filter((reversal) => (reversal.takenCents ?? 0) > 0),
  };
}

function getAccounts(db: Connection, userId: string) {
  return db.drizzle
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(eq(memberships.userId, userId));
}
