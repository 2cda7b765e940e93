import type { Receipt } from '@tollgate/db/queries/payments/receipt';
import { html, writePage, type Html } from '../http/page.ts';
import { showCents } from './amounts.ts';

/** @param issuer the operator's name and address as they shall stand on receipts; null: none was set */
export function writeReceiptPage(receipt: Receipt, issuer: string | null): string {
  const { payment, reversals } = receipt;
  return writePage({
    title: `Receipt ${payment.receiptNumber}`,
    body: html`<article class="card">
        <h1>Receipt</h1>
        <p>${payment.receiptNumber}</p>
        ${payment.provider === 'test' ? html`<div class="note">This was a test payment. No money was charged.</div>` : html``}
        <dl>
          ${issuer === null ? html`` : row('From', issuer)}${row('Paid on', formatDay(payment.paidAt))}${row('Paid by', payment.payerEmail)}${
            receipt.accountName === payment.payerEmail ? html`` : row('Account', receipt.accountName)
          }${row('Method', describeMethod(payment))}${row('For', payment.kind === 'auto' ? 'Prepaid credit, automatic top-up' : 'Prepaid credit')}${row('Payment', payment.id)}${row(
            'Amount paid',
            `$${showCents(payment.amountCents)} USD`,
          )}${reversals.map((reversal) =>
            row(
              `${reversal.kind === 'refund' ? 'Refunded' : 'Disputed'} on ${formatDay(reversal.createdAt)}`,
              `−$${showCents(reversal.takenCents ?? 0)} USD`,
            ),
          )}
        </dl>
        <p class="screen">To save a PDF, print this page.</p>
      </article>
      <p class="foot screen"><a href="/billing">Back to Billing</a></p>`,
  });
}

function row(name: string, value: string): Html {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

function describeMethod({ methodBrand, methodLast4, provider }: Receipt['payment']): string {
  if (methodBrand === null) return provider === 'stripe' ? 'Stripe' : 'Test card';
  if (methodBrand === 'test') return `Test card ending in ${methodLast4 ?? ''}`;
  const brand = methodBrand.charAt(0).toUpperCase() + methodBrand.slice(1).replaceAll('_', ' ');
  return methodLast4 === null || methodLast4 === '' ? brand : `${brand} ending in ${methodLast4}`;
}

/** In UTC, as a receipt says the same to everyone: `21 November 2026`. */
function formatDay(at: Date): string {
  return at.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}
