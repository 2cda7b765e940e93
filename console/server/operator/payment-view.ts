import type { LinkedDocument } from '@tollgate/db/queries/documents/list-documents';
import type { PaymentDetail } from '@tollgate/db/queries/operator/payment';
import type { PaymentOfAccount, StoredEvent } from '@tollgate/db/queries/operator/payments';
import { NANO_USD_PER_CENT, type Payment } from '@tollgate/db/queries/payments/payments';
import { getRefundable } from '@tollgate/db/queries/payments/refund-requests';
import type { Reversal } from '@tollgate/db/queries/payments/reversals';
import { parsePaymentFact } from '../payments/payment-fact.ts';
import { REFUND_OBSTACLES } from '../payments/refund-payment.ts';

/** A payment of any account. */
export interface OperatorPaymentRow {
  id: string;
  accountId: string;
  accountName: string;
  createdAt: string;
  kind: Payment['kind'];
  provider: Payment['provider'];
  amountNanoUsd: string;
  state: Payment['state'];
  /** Of the last try, in the provider's words. */
  failure: string | null;
  receiptNumber: string | null;
}

/** A webhook event and its outcome. */
export interface PaymentEventRow {
  /** The provider's. */
  id: string;
  type: string;
  receivedAt: string;
  paymentId: string | null;
  outcome: StoredEvent['outcome'];
  /** Why it was refused. */
  reason: string | null;
  /** False: it concerns no payment, so there is nothing to deal with again. */
  canReplay: boolean;
  /** The stored event. */
  facts: string | null;
}

/** All data of one payment except its events, which are read page by page. */
export interface OperatorPaymentDetail extends OperatorPaymentRow {
  /** null: automatic, or the user was deleted. */
  createdByEmail: string | null;
  payerEmail: string;
  /** null: not reported yet. */
  method: { brand: string; last4: string } | null;
  /** True: the person let the method be charged again. */
  savesMethod: boolean;
  /** The provider's ids of the payment. */
  checkoutSessionId: string | null;
  paymentIntentId: string | null;
  updatedAt: string;
  /** When the balance was credited; null: never. */
  paidAt: string | null;
  /** The oldest first, as are the entries. */
  reversals: {
    id: string;
    kind: Reversal['kind'];
    state: Reversal['state'];
    amountNanoUsd: string;
    /** Taken from the balance for it until now. */
    takenNanoUsd: string;
    createdAt: string;
    updatedAt: string;
  }[];
  /** Part of the amount that was not credited to the balance. */
  addedTaxNanoUsd: string;
  /** Can be refunded now; `obstacle` says why not. */
  refundable: { amountNanoUsd: string; obstacle: string | null };
  /** Of the account, which a refund reduces. */
  availableNanoUsd: string;
  /** Threshold of the account's automatic top-ups, which a refund below it turns off; null: they are off. */
  autoTopUpBelowNanoUsd: string | null;
  /** Refunds requested here that the provider has not made, the oldest first. */
  refundRequests: {
    id: string;
    createdAt: string;
    amountNanoUsd: string;
    reason: string;
    requestedByEmail: string | null;
    /** In the provider's words; null: it has not answered yet. */
    failure: string | null;
  }[];
  /** Credit notes and receipts that correct the receipt, the oldest first. */
  corrections: LinkedDocument[];
  entries: {
    id: string;
    at: string;
    kind: PaymentDetail['entries'][number]['kind'];
    /** With its sign. */
    changeNanoUsd: string;
  }[];
}

export function toPaymentRow(payment: PaymentOfAccount): OperatorPaymentRow {
  const { id, accountId, accountName, kind, provider, state, failure, receiptNumber } = payment;
  return {
    id,
    accountId,
    accountName,
    kind,
    provider,
    state,
    failure,
    receiptNumber,
    createdAt: payment.createdAt.toISOString(),
    amountNanoUsd: ofCents(payment.amountCents),
  };
}

/** @param provider that is set up now; null: none */
export function toPaymentDetail(
  detail: PaymentDetail,
  provider: Payment['provider'] | null,
): OperatorPaymentDetail {
  const { payment, accountName, createdByEmail, reversals, entries, requests, documents } = detail;
  const hasOpenRequest = requests.some(({ state }) => state === 'open');
  const refundable = getRefundable(payment, reversals, { provider, hasOpenRequest });
  const { payerEmail, methodBrand, methodLast4, savesMethod, checkoutSessionId, paymentIntentId } = payment;
  return {
    ...toPaymentRow({ ...payment, accountName }),
    createdByEmail,
    payerEmail,
    method: methodBrand === null ? null : { brand: methodBrand, last4: methodLast4 ?? '' },
    savesMethod,
    checkoutSessionId,
    paymentIntentId,
    updatedAt: payment.updatedAt.toISOString(),
    paidAt: payment.paidAt?.toISOString() ?? null,
    reversals: reversals.map(({ id, kind, state, amountCents, takenCents, createdAt, updatedAt }) => ({
      id,
      kind,
      state,
      amountNanoUsd: ofCents(amountCents),
      takenNanoUsd: ofCents(takenCents ?? 0),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    })),
    refundable: refundable.ok
      ? { amountNanoUsd: ofCents(refundable.cents), obstacle: null }
      : { amountNanoUsd: '0', obstacle: REFUND_OBSTACLES[refundable.why] },
    addedTaxNanoUsd: ofCents(payment.addedTaxCents),
    availableNanoUsd: detail.availableNanoUsd.toString(),
    autoTopUpBelowNanoUsd: detail.autoTopUpBelowNanoUsd?.toString() ?? null,
    refundRequests: requests
      .filter(({ state }) => state !== 'made')
      .map(({ id, createdAt, amountCents, reason, requestedByEmail, failure }) => ({
        id,
        createdAt: createdAt.toISOString(),
        amountNanoUsd: ofCents(amountCents),
        reason,
        requestedByEmail,
        failure,
      })),
    corrections: documents
      .filter(({ number }) => number !== payment.receiptNumber)
      .map(({ id, kind, number }) => ({ id, kind, number })),
    entries: entries.map(({ id, at, kind, changeNanoUsd }) => ({
      id,
      at: at.toISOString(),
      kind,
      changeNanoUsd: changeNanoUsd.toString(),
    })),
  };
}

function ofCents(cents: number): string {
  return (BigInt(cents) * NANO_USD_PER_CENT).toString();
}

export function toEventRow(event: StoredEvent): PaymentEventRow {
  const { id, type, paymentId, outcome, reason, facts } = event;
  return {
    id,
    type,
    receivedAt: event.receivedAt.toISOString(),
    paymentId,
    outcome,
    reason,
    canReplay: parsePaymentFact(facts) !== null,
    facts: facts === null ? null : JSON.stringify(facts, null, 2),
  };
}
