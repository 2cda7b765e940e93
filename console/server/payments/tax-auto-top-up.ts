import { findMonth, getMonthRange } from '@tollgate/core/money/statement-month';
import { fitsMaximum, pauseAutoTopUp } from '@tollgate/db/queries/payments/auto-top-up-maximum';
import type { AutoCharge } from '@tollgate/db/queries/payments/automatic-top-ups';
import { lockPayment, type Payment } from '@tollgate/db/queries/payments/payments';
import {
  areConsistent,
  getCreditCents,
  setReportedTaxes,
  type ReportedTaxes,
} from '@tollgate/db/queries/payments/price-top-up';
import { inTransaction, type Connection } from '@tollgate/db/transaction';
import type { Deps } from '../deps.ts';
import { formatDay } from '../documents/document-sheet.ts';
import { monthlyMaximumMail } from '../mail/payment-templates.ts';
import { showCents } from './amounts.ts';
import type { PaymentProvider } from './provider.ts';
import { queueBillingMail } from './queue-billing-mail.ts';

/** `expired`: with its taxes, the charge would exceed the month's maximum. */
type Taxed =
  | { ok: true; payment: Payment }
  | { ok: false; fact: { kind: 'failed'; failure: string; isFinal: true } | { kind: 'expired' } };

/**
 * Adds the taxes that the provider determines to an automatic top-up. They are stored before the charge, so that a
 * repeated charge has the same amount.
 * @throws if the taxes are unknown: repeat it
 */
export async function addTaxes(
  deps: Deps,
  provider: PaymentProvider,
  { charge, now }: { charge: AutoCharge; now: Date },
): Promise<Taxed> {
  const { payment, customerId } = charge;
  if (payment.taxMode !== 'stripe' || payment.addedTaxes !== null) return { ok: true, payment };
  const creditCents = getCreditCents(payment);
  const answer = await provider.calculateTaxes({ paymentId: payment.id, creditCents, customerId });
  if (!answer.ok) return { ok: false, fact: { kind: 'failed', failure: answer.failure, isFinal: true } };
  return inTransaction(deps.db, async (tx) => {
    const locked = await lockPayment(tx, payment.id);
    if (locked === null) throw new Error(`There is no payment ${payment.id}`);
    return storeTaxes(tx, deps, { payment: locked, taxes: answer.taxes, now });
  });
}

async function storeTaxes(
  tx: Connection,
  deps: Deps,
  { payment, taxes, now }: { payment: Payment; taxes: ReportedTaxes; now: Date },
): Promise<Taxed> {
  if (payment.addedTaxes !== null) return { ok: true, payment };
  if (!areConsistent(taxes, payment)) throw new Error(`The taxes of ${payment.id} do not add up`);
  const { accountId } = payment;
  // The credit is counted already.
  const addedCents = taxes.amountCents - taxes.creditCents;
  const maximum = await fitsMaximum(tx, { accountId, now, amountCents: addedCents });
  if (maximum.fits) return { ok: true, payment: await setReportedTaxes(tx, payment, taxes) };
  if (await pauseAutoTopUp(tx, { accountId, now }))
    await queueMaximumMail(tx, deps, {
      accountId,
      amountCents: taxes.amountCents,
      maxCents: maximum.maxCents,
      now,
    });
  return { ok: false, fact: { kind: 'expired' } };
}

/** Reports that another automatic top-up would exceed the maximum. */
export async function queueMaximumMail(
  tx: Connection,
  deps: Deps,
  reached: { accountId: string; amountCents: number; maxCents: number; now: Date },
): Promise<void> {
  const { accountId, amountCents, maxCents, now } = reached;
  await queueBillingMail(tx, deps, accountId, (accountName) =>
    monthlyMaximumMail({
      accountName,
      amountUsd: showCents(amountCents),
      maxUsd: showCents(maxCents),
      nextMonth: formatDay(getMonthRange(findMonth(now)).to),
      link: `${deps.settings.publicConsoleUrl}/billing`,
    }),
  );
}
