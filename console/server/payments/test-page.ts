import { formatRate } from '@tollgate/core/money/taxes';
import type { Payment } from '@tollgate/db/queries/payments/payments';
import { getCreditCents } from '@tollgate/db/queries/payments/price-top-up';
import { html, writePage, type Html } from '../http/page.ts';
import { showCents } from './amounts.ts';

const STATES: Record<Payment['state'], string> = {
  created: 'open',
  pending: 'processing',
  paid: 'paid',
  failed: 'declined',
  expired: 'expired',
  refunded_part: 'partially refunded',
  refunded: 'refunded',
  disputed: 'disputed',
};

/** The payment page if no payment provider is set up. */
export function writeTestPaymentPage(payment: Payment, accountName: string): string {
  const isOpen = payment.state === 'created' || payment.state === 'pending';
  return writePage({
    title: 'Test payment',
    body: html`<div class="card">
      <h1>Test payment</h1>
      <p>This page replaces the payment page because no payment provider is set up.</p>
      <div class="note" role="note">This is a test. No money is charged.</div>
      <p class="amount">$${showCents(payment.amountCents)}</p>
      <dl>
        <dt>For</dt>
        <dd>Prepaid credit of $${showCents(getCreditCents(payment))}</dd>
        ${(payment.addedTaxes?.taxes ?? []).map(
          ({ name, ratePpm, amountCents }) =>
            html`<dt>${name} ${formatRate(ratePpm)}</dt>
              <dd>$${showCents(amountCents)}</dd>`,
        )}
        <dt>Account</dt>
        <dd>${accountName}</dd>
        <dt>Payment</dt>
        <dd>${payment.id}</dd>
        ${
          payment.savesMethod
            ? html`<dt>Test card</dt>
                <dd>Saved for automatic top-ups</dd>`
            : html``
        }
      </dl>
      ${
        isOpen
          ? BUTTONS
          : html`<p>This payment is ${STATES[payment.state]}.</p>
              <a class="button" href="/billing?payment=${payment.id}">Back to Billing</a>`
      }
    </div>`,
  });
}

const BUTTONS: Html = html`<form method="post">
    <button class="primary" name="action" value="pay">Pay</button>
    <button name="action" value="decline">Decline</button>
    <button name="action" value="refund">Pay, then refund</button>
  </form>
  <p class="foot"><a href="/billing">Cancel payment</a></p>`;
