import { findAccountName } from '@tollgate/db/queries/accounts/account-name';
import { forgiveAutoTopUp } from '@tollgate/db/queries/payments/automatic-top-ups';
import { saveMethod } from '@tollgate/db/queries/payments/payment-methods';
import {
  changePayment,
  markPaymentPaid,
  NANO_USD_PER_CENT,
  type Payment,
} from '@tollgate/db/queries/payments/payments';
import { areConsistent, getCreditCents, setReportedTaxes } from '@tollgate/db/queries/payments/price-top-up';
import { postLedgerEntry } from '@tollgate/db/queries/ledger/post-entry';
import { queueMail } from '@tollgate/mail/queue-mail';
import { receiptMail } from '../mail/payment-templates.ts';
import type { Applied, ApplyContext } from './apply-context.ts';
import { settleReversals } from './apply-reversal.ts';
import { showCents } from './amounts.ts';
import type { PaymentFact } from './payment-fact.ts';

/** Credits a payment once, however many events report that it was paid. */
export async function applyPaid(
  context: ApplyContext,
  ordered: Payment,
  fact: Extract<PaymentFact, { kind: 'paid' }>,
): Promise<Applied> {
  const payment = await addTaxes(context, ordered, fact.amountCents);
  if (payment === null) return { outcome: 'refused', reason: 'wrong_taxes' };
  if (fact.currency !== payment.currency) return { outcome: 'refused', reason: 'wrong_currency' };
  if (fact.amountCents !== payment.amountCents) return { outcome: 'refused', reason: 'wrong_amount' };
  const named = await nameMethod(context, payment, fact);
  if (payment.paidAt !== null) return { outcome: named ? 'applied' : 'unchanged' };
  const { tx, deps, now } = context;
  const paid = await markPaymentPaid(tx, payment.id, {
    at: now,
    issuer: deps.settings.receiptIssuer,
  });
  const isPosted = await postLedgerEntry(tx, {
    accountId: paid.accountId,
    kind: 'top_up',
    debit: 'payments',
    credit: 'wallet',
    amountNanoUsd: BigInt(getCreditCents(paid)) * NANO_USD_PER_CENT,
    idempotencyKey: `top_up:${paid.id}`,
    paymentId: paid.id,
  });
  if (!isPosted) throw new Error(`The payment ${paid.id} was credited before it was paid`);
  if (paid.kind === 'auto') await forgiveAutoTopUp(tx, paid.accountId);
  await settleReversals(context, paid);
  await queueMail(tx, deps.sealer, {
    recipient: paid.payerEmail,
    mail: receiptMail({
      accountName: (await findAccountName(tx, paid.accountId)) ?? paid.accountId,
      amountUsd: showCents(paid.amountCents),
      creditUsd: showCents(getCreditCents(paid)),
      receiptNumber: paid.receiptNumber ?? '',
      isAutomatic: paid.kind === 'auto',
      isTest: paid.provider === 'test',
      link: `${deps.settings.publicConsoleUrl}/receipts/${paid.id}`,
    }),
  });
  return { outcome: 'applied' };
}

/** Stores the taxes that the provider added. @returns null if they do not fit the credit that was ordered */
async function addTaxes(
  { tx, taxes }: ApplyContext,
  payment: Payment,
  paidCents: number,
): Promise<Payment | null> {
  if (taxes === null || payment.addedTaxes !== null) return payment;
  const fits = taxes.amountCents === paidCents && areConsistent(taxes, payment);
  return fits ? setReportedTaxes(tx, payment, taxes) : null;
}

/** Notes by which names the provider knows the payment, and how it was paid. @returns true if that was news */
async function nameMethod(
  { tx, method }: ApplyContext,
  payment: Payment,
  { ref }: Extract<PaymentFact, { kind: 'paid' }>,
): Promise<boolean> {
  const isNews =
    (ref.intentId !== null && payment.paymentIntentId === null) ||
    (ref.sessionId !== null && payment.checkoutSessionId === null) ||
    (method !== null && payment.methodBrand === null);
  if (!isNews) return false;
  await changePayment(tx, payment.id, {
    paymentIntentId: payment.paymentIntentId ?? ref.intentId,
    checkoutSessionId: payment.checkoutSessionId ?? ref.sessionId,
    methodBrand: payment.methodBrand ?? method?.brand ?? null,
    methodLast4: payment.methodLast4 ?? method?.last4 ?? null,
  });
  if (method !== null && method.customerId !== null && payment.savesMethod)
    await saveMethod(tx, {
      accountId: payment.accountId,
      provider: payment.provider,
      customerId: method.customerId,
      methodId: method.methodId,
      brand: method.brand,
      last4: method.last4,
    });
  return true;
}
