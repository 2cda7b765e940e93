import { issueCorrection } from '@tollgate/db/queries/documents/issue-document';
import { postLedgerEntry } from '@tollgate/db/queries/ledger/post-entry';
import { stopAutoTopUp } from '@tollgate/db/queries/payments/automatic-top-ups';
import { changePayment, NANO_USD_PER_CENT, type Payment } from '@tollgate/db/queries/payments/payments';
import {
  closeRefundRequest,
  findRefundRequest,
  refuseRefundRequest,
} from '@tollgate/db/queries/payments/refund-requests';
import { listReversals, putReversal, setTaken, type Reversal } from '@tollgate/db/queries/payments/reversals';
import { reversalMail } from '../mail/payment-templates.ts';
import { showCents } from './amounts.ts';
import type { Applied, ApplyContext } from './apply-context.ts';
import type { ReversalFact } from './payment-fact.ts';
import { queueBillingMail } from './queue-billing-mail.ts';

/** Deducts a refund or dispute, or returns it if it failed; each once. */
export async function applyReversal(
  context: ApplyContext,
  payment: Payment,
  reversal: ReversalFact['reversal'],
): Promise<Applied> {
  if (reversal.currency !== payment.currency) return { outcome: 'refused', reason: 'wrong_currency' };
  if (reversal.amountCents <= 0) return { outcome: 'refused', reason: 'wrong_amount' };
  const { id, kind, amountCents, state } = reversal;
  const requestId = await closeRequest(context, payment, reversal);
  if (!(await putReversal(context.tx, { id, kind, amountCents, state, requestId, paymentId: payment.id }))) {
    const isOurs = (await listReversals(context.tx, payment.id)).some((reversal) => reversal.id === id);
    return isOurs ? { outcome: 'unchanged' } : { outcome: 'refused', reason: 'other_payments_reversal' };
  }
  // What was never credited has nothing to take back: it waits for the credit.
  if (payment.paidAt !== null) await settleReversals(context, payment);
  return { outcome: 'applied' };
}

/** In place of the provider's reason. */
export const REFUND_FAILED = 'The refund failed at the payment provider';

/**
 * Closes the request of a refund that was requested here. A refund that failed before its request was closed was never
 * made.
 * @returns its ID; null: the refund was not requested here
 */
async function closeRequest(
  { tx }: ApplyContext,
  payment: Payment,
  reversal: Pick<ReversalFact['reversal'], 'id' | 'requestId' | 'state'>,
): Promise<string | null> {
  if (reversal.requestId === null) return null;
  const named = { id: reversal.requestId, paymentId: payment.id };
  const known = (await listReversals(tx, payment.id)).find(({ id }) => id === reversal.id);
  // Returned stays returned, whatever arrives late.
  if (reversal.state === 'open' && known?.state !== 'returned')
    return (await closeRefundRequest(tx, named))?.id ?? null;
  const request = await findRefundRequest(tx, named);
  if (request !== null) await refuseRefundRequest(tx, { request, failure: REFUND_FAILED });
  return request?.id ?? null;
}

/**
 * Updates the ledger to the reversals of a payment: each one's amount, in sum at most the payment, and nothing for
 * returned ones. The payment is credited and its row locked.
 */
export async function settleReversals(context: ApplyContext, payment: Payment): Promise<void> {
  const reversals = await listReversals(context.tx, payment.id);
  let room = payment.amountCents;
  for (const reversal of reversals) {
    const due = reversal.state === 'open' ? Math.min(reversal.amountCents, room) : 0;
    room -= due;
    if (due !== (reversal.takenCents ?? 0)) await move(context, payment, { reversal, due });
    if (due !== reversal.takenCents) await setTaken(context.tx, reversal.id, due);
  }
  const state = getState(payment, reversals);
  if (state !== payment.state) await changePayment(context.tx, payment.id, { state });
}

/** The entry's key contains the reversed sum: the row's lock lets each sum be reached once. */
async function move(
  { tx, deps, now }: ApplyContext,
  payment: Payment,
  { reversal, due }: { reversal: Reversal; due: number },
): Promise<void> {
  const cents = due - (reversal.takenCents ?? 0);
  const isTaken = cents > 0;
  const isWon = reversal.kind === 'dispute' && !isTaken;
  const reversalKey = `${reversal.kind}:${reversal.id}:`;
  const entryKey = `${reversalKey}${reversal.takenCents ?? 0}>${due}`;
  const { id: paymentId } = payment;
  const requestId = isTaken ? reversal.requestId : null;
  const request = requestId === null ? null : await findRefundRequest(tx, { id: requestId, paymentId });
  const reason = request?.reason ?? null;
  const corrected = { paymentId, cents, entryKey, reversalKey, at: now };
  const { netCents } = await issueCorrection(tx, corrected);
  // The balance got the payment without its added taxes.
  const creditCents = payment.addedTaxCents === 0 ? Math.abs(cents) : netCents;
  // Of some cents, all may be tax.
  if (creditCents > 0) {
    const isPosted = await postLedgerEntry(tx, {
      accountId: payment.accountId,
      kind: isWon ? 'dispute_won' : reversal.kind,
      debit: isTaken ? 'wallet' : 'payments',
      credit: isTaken ? 'payments' : 'wallet',
      amountNanoUsd: BigInt(creditCents) * NANO_USD_PER_CENT,
      idempotencyKey: entryKey,
      reason: !isTaken && reversal.kind === 'refund' ? 'The refund failed' : reason,
      paymentId,
    });
    if (!isPosted) throw new Error(`${reversal.kind} ${reversal.id} was entered before`);
  }
  const stopsAutoTopUp =
    isTaken &&
    reversal.kind === 'refund' &&
    (await stopAutoTopUp(tx, {
      accountId: payment.accountId,
      actorUserId: request?.requestedBy ?? null,
    }));
  await queueBillingMail(tx, deps, payment.accountId, (accountName) =>
    reversalMail({
      accountName,
      kind: reversal.kind,
      isTaken,
      reason,
      stopsAutoTopUp,
      amountUsd: showCents(Math.abs(cents)),
      creditUsd: showCents(creditCents),
      receiptNumber: payment.receiptNumber ?? '',
      link: `${deps.settings.publicConsoleUrl}/billing`,
    }),
  );
}

function getState(payment: Payment, reversals: Reversal[]): Payment['state'] {
  const open = reversals.filter((reversal) => reversal.state === 'open');
  if (open.some((reversal) => reversal.kind === 'dispute')) return 'disputed';
  const refunded = open.reduce((sum, reversal) => sum + reversal.amountCents, 0);
  if (refunded === 0) return 'paid';
  return refunded >= payment.amountCents ? 'refunded' : 'refunded_part';
}
