import { and, eq, inArray, isNull } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { billingDocuments } from '../../schema/documents.ts';
import { payments } from '../../schema/payments.ts';
import type { Connection } from '../../transaction.ts';
import { listPaymentDocuments, type BillingDocument } from './issue-document.ts';

export interface FoundDocument {
  document: BillingDocument;
  payment: Pick<typeof payments.$inferSelect, 'kind' | 'provider' | 'taxMode'>;
  /** Of the account: its members need a session that proved a second factor. */
  requiresTwoFactor: boolean;
  /** What this document corrects; null: nothing. */
  corrects: BillingDocument | null;
  /** What corrects this document, the oldest first. */
  correctedBy: BillingDocument[];
}

/**
 * @param asked.id of a document, or of a payment for its receipt
 * @param asked.userId must be a member of the account; null: an operator, for any account
 * @returns null if there is no such document, or the person is in another account
 */
export async function findDocument(
  db: Connection,
  asked: { id: string; userId: string | null },
): Promise<FoundDocument | null> {
  const { id, userId } = asked;
  const isAsked = id.startsWith('pay_')
    ? and(eq(billingDocuments.paymentId, id), isNull(billingDocuments.correctsId))
    : eq(billingDocuments.id, id);
  const [row] = await db.drizzle
    .select({
      document: billingDocuments,
      payment: { kind: payments.kind, provider: payments.provider, taxMode: payments.taxMode },
      requiresTwoFactor: accounts.requiresTwoFactor,
    })
    .from(billingDocuments)
    .innerJoin(accounts, eq(accounts.id, billingDocuments.accountId))
    .innerJoin(payments, eq(payments.id, billingDocuments.paymentId))
    .where(
      and(
        isAsked,
        userId === null ? undefined : inArray(billingDocuments.accountId, getAccounts(db, userId)),
      ),
    );
  if (row === undefined) return null;
  const issued = await listPaymentDocuments(db, row.document.paymentId);
  return {
    ...row,
    corrects: issued.find((other) => other.id === row.document.correctsId) ?? null,
    correctedBy: issued.filter((other) => other.correctsId === row.document.id),
  };
}

function getAccounts(db: Connection, userId: string) {
  return db.drizzle
    .select({ accountId: memberships.accountId })
    .from(memberships)
    .where(eq(memberships.userId, userId));
}
