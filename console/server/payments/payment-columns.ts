import { formatUsd } from '@tollgate/core/money/money';
import type { DocumentHead } from '@tollgate/db/queries/documents/list-documents';
import { NANO_USD_PER_CENT, type Payment } from '@tollgate/db/queries/payments/payments';
import { getCreditCents } from '@tollgate/db/queries/payments/price-top-up';
import type { ExportColumn } from '../exports/export-pages.ts';

export type PaymentWithDocuments = Payment & {
  /** null: no funds were received. */
  receipt: DocumentHead | null;
  /** Documents that correct the receipt, the oldest first. */
  corrections: readonly DocumentHead[];
};

/** Amounts and documents of a payment, in the exports of an account and of the installation. */
export const PAYMENT_MONEY: readonly ExportColumn<PaymentWithDocuments>[] = [
  ['receipt', ({ receiptNumber }) => receiptNumber],
  ['corrections', ({ corrections }) => corrections.map(({ number }) => number)],
  ['amount_usd', ({ amountCents }) => toUsd(amountCents)],
  ['credited_usd', (payment) => toUsd(payment.paidAt === null ? 0 : getCreditCents(payment))],
  ['tax_usd', ({ receipt }) => receipt && toUsd(receipt.amountCents - receipt.netCents)],
  ['refunded_usd', (payment) => toUsd(sumTaken(payment, 'refund'))],
  ['disputed_usd', (payment) => toUsd(sumTaken(payment, 'dispute'))],
];

/** @param documents of these payments, and maybe of others, the oldest first */
export function addDocuments<P extends Payment>(
  payments: readonly P[],
  documents: readonly DocumentHead[],
): (P & PaymentWithDocuments)[] {
  const byPayment = Map.groupBy(documents, ({ paymentId }) => paymentId);
  return payments.map((payment) => {
    const own = byPayment.get(payment.id) ?? [];
    return {
      ...payment,
      receipt: own.find(({ number }) => number === payment.receiptNumber) ?? null,
      corrections: own.filter(({ number }) => number !== payment.receiptNumber),
    };
  });
}

/** Cents of credit notes less those of the receipts that returned them, taxes included. */
function sumTaken({ corrections }: PaymentWithDocuments, kind: 'refund' | 'dispute'): number {
  return corrections
    .filter(({ entryKey }) => entryKey.startsWith(`${kind}:`))
    .reduce((sum, document) => sum + (document.kind === 'credit_note' ? 1 : -1) * document.amountCents, 0);
}

function toUsd(cents: number): string {
  return formatUsd(BigInt(cents) * NANO_USD_PER_CENT);
}
