import { createId } from '@tollgate/core/runtime/ids';
import { splitCorrection, splitTaxes, type TaxedAmount } from '@tollgate/core/money/taxes';
import { asc, eq, sql } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { billingDocuments, documentNumbers, type DocumentKind } from '../../schema/documents.ts';
import type { AddedTaxes, payments } from '../../schema/payments.ts';
import type { Connection } from '../../transaction.ts';
import { readBillingDetails } from './billing-details.ts';
import { findDueTaxes } from './tax-rates.ts';

export type BillingDocument = typeof billingDocuments.$inferSelect;
type Payment = typeof payments.$inferSelect;

const NUMBER_DIGITS = 6;
const PREFIXES: Record<DocumentKind, string> = { receipt: 'R', credit_note: 'C' };

/**
 * The next number of a kind and year. Until the transaction ends, no other document of that kind and year gets a number,
 * so numbers have no gaps.
 */
async function takeNumber(tx: Connection, kind: DocumentKind, at: Date): Promise<string> {
  const year = at.getUTCFullYear();
  if (kind === 'credit_note') await lockReceiptNumbers(tx, year);
  const [row] = await tx.drizzle
    .insert(documentNumbers)
    .values({ kind, year, last: 1 })
    .onConflictDoUpdate({
      target: [documentNumbers.kind, documentNumbers.year],
      set: { last: sql`${documentNumbers.last} + 1` },
    })
    .returning({ last: documentNumbers.last });
  if (row === undefined) throw new Error('No document number was given');
  return `${PREFIXES[kind]}-${year}-${row.last.toString().padStart(NUMBER_DIGITS, '0')}`;
}

/** Locks the receipt numbers before the credit notes', so that transactions that issue both kinds never deadlock. */
async function lockReceiptNumbers(tx: Connection, year: number): Promise<void> {
  await tx.drizzle
    .insert(documentNumbers)
    .values({ kind: 'receipt', year, last: 0 })
    .onConflictDoUpdate({
      target: [documentNumbers.kind, documentNumbers.year],
      set: { last: documentNumbers.last },
    });
}

/** Issues the receipt of a payment whose row is locked. @returns its number */
export async function issueReceipt(
  tx: Connection,
  payment: Payment,
  issue: { at: Date; issuer: string | null },
): Promise<string> {
  const taxed = await findTaxes(tx, payment);
  const [account] = await tx.drizzle
    .select({ name: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, payment.accountId));
  const number = await takeNumber(tx, 'receipt', issue.at);
  await tx.drizzle.insert(billingDocuments).values({
    id: createId('doc'),
    kind: 'receipt',
    number,
    issuedAt: issue.at,
    accountId: payment.accountId,
    paymentId: payment.id,
    entryKey: `top_up:${payment.id}`,
    issuer: issue.issuer ?? '',
    accountName: account?.name ?? '',
    payerEmail: payment.payerEmail,
    ...taxed.customer,
    methodBrand: payment.methodBrand,
    methodLast4: payment.methodLast4,
    amountCents: payment.amountCents,
    netCents: taxed.netCents,
    taxes: taxed.taxes,
    reverseCharge: taxed.reverseCharge,
  });
  return number;
}

/** Added taxes are those of the time when the payment was created; included ones are determined now. */
async function findTaxes(tx: Connection, payment: Payment): Promise<AddedTaxes & { netCents: number }> {
  const { accountId, amountCents, addedTaxCents, addedTaxes } = payment;
  if (addedTaxes !== null) return { ...addedTaxes, netCents: amountCents - addedTaxCents };
  const customer = await readBillingDetails(tx, accountId);
  const { rates, reverseCharge } = await findDueTaxes(tx, customer);
  return { ...splitTaxes(amountCents, rates), reverseCharge, customer };
}

interface Correction {
  paymentId: string;
  /** More than 0 if the amount is taken back from the receipt, below 0 if it is returned. */
  cents: number;
  /** Of the ledger entry. */
  entryKey: string;
  /** Prefix of the entry keys of the same refund or dispute. */
  reversalKey: string;
  at: Date;
}

/**
 * Issues a credit note for an amount that was taken from a payment, or a receipt for one that was returned, to the same
 * customer and with the same taxes as the payment's receipt. The payment's row must be locked.
 * @returns its amount without taxes
 */
export async function issueCorrection(tx: Connection, correction: Correction): Promise<{ netCents: number }> {
  const { paymentId, cents, entryKey, at } = correction;
  const issued = await listPaymentDocuments(tx, paymentId);
  const original = issued.find(({ correctsId }) => correctsId === null);
  if (original === undefined) throw new Error(`The payment ${paymentId} has no receipt`);
  const fromCents = sumTaken(issued);
  const split: TaxedAmount = splitCorrection(original, { fromCents, toCents: fromCents + cents });
  const kind = cents > 0 ? 'credit_note' : 'receipt';
  const corrected = kind === 'receipt' ? findCreditNote(issued, correction) : original;
  await tx.drizzle.insert(billingDocuments).values({
    ...original,
    id: createId('doc'),
    kind,
    number: await takeNumber(tx, kind, at),
    issuedAt: at,
    entryKey,
    correctsId: (corrected ?? original).id,
    amountCents: Math.abs(cents),
    ...split,
  });
  return split;
}

/** All documents of a payment, the oldest first. */
export async function listPaymentDocuments(db: Connection, paymentId: string): Promise<BillingDocument[]> {
  return db.drizzle
    .select()
    .from(billingDocuments)
    .where(eq(billingDocuments.paymentId, paymentId))
    .orderBy(asc(billingDocuments.issuedAt), asc(billingDocuments.id));
}

/** Cents that credit notes took back and that were not returned since. */
function sumTaken(documents: readonly BillingDocument[]): number {
  return documents
    .filter(({ correctsId }) => correctsId !== null)
    .reduce((sum, { kind, amountCents }) => sum + (kind === 'credit_note' ? amountCents : -amountCents), 0);
}

/** The last credit note of a refund or dispute. */
function findCreditNote(
  issued: readonly BillingDocument[],
  { reversalKey }: Correction,
): BillingDocument | undefined {
  return issued.findLast(({ kind, entryKey }) => kind === 'credit_note' && entryKey.startsWith(reversalKey));
}
