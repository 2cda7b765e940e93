import { getCountryName } from '@tollgate/core/money/countries';
import { formatRate } from '@tollgate/core/money/taxes';
import type { FoundDocument } from '@tollgate/db/queries/documents/find-document';
import type { BillingDocument } from '@tollgate/db/queries/documents/issue-document';
import { showCents } from '../payments/amounts.ts';
import type { Sheet, SheetTable } from './sheet.ts';

export const DOCUMENT_TITLES: Record<BillingDocument['kind'], string> = {
  receipt: 'Receipt',
  credit_note: 'Credit note',
};

/** @param currentIssuer issuer on documents of earlier releases, which did not store it; null: none is set */
export function getDocumentSheet(found: FoundDocument, currentIssuer: string | null): Sheet {
  const { document, payment } = found;
  const issuer = document.issuer ?? currentIssuer ?? '';
  return {
    title: DOCUMENT_TITLES[document.kind],
    number: document.number,
    warning: payment.provider === 'test' ? 'This was a test payment. No money was charged.' : null,
    parties: [
      ...(issuer === '' ? [] : [{ heading: 'From', lines: [issuer] }]),
      { heading: 'Billed to', lines: describeCustomer(document) },
    ],
    facts: [
      [document.correctsId === null ? 'Paid on' : 'Issued on', formatDay(document.issuedAt)],
      ...(found.corrects === null ? [] : [describeCorrected(found.corrects)]),
      ['Method', describeMethod(found)],
      ['Payment', document.paymentId],
    ],
    tables: [getAmounts(found)],
    notes: document.reverseCharge
      ? ['Reverse charge: the customer owes the tax to the tax office of its country.']
      : [],
  };
}

/** The address of a document's customer, line by line. */
export function describeCustomer(
  customer: Pick<
    BillingDocument,
    'accountName' | 'payerEmail' | 'companyName' | 'address' | 'country' | 'taxId'
  >,
): string[] {
  const { accountName, payerEmail, companyName, address, country, taxId } = customer;
  return [
    ...(companyName === '' ? [accountName] : [companyName]),
    ...address.split('\n'),
    country === null ? '' : getCountryName(country),
    taxId === '' ? '' : `Tax ID ${taxId}`,
    payerEmail === accountName && companyName === '' ? '' : payerEmail,
  ].filter((line) => line.trim() !== '');
}

function describeCorrected(corrected: BillingDocument): [string, string] {
  const title = DOCUMENT_TITLES[corrected.kind].toLowerCase();
  return ['Corrects', `${title} ${corrected.number} of ${formatDay(corrected.issuedAt)}`];
}

function getAmounts({ document, payment }: FoundDocument): SheetTable {
  const { kind, amountCents, netCents, taxes } = document;
  const sign = kind === 'credit_note' ? '−' : '';
  const show = (cents: number) => `${cents < 0 ? '−' : sign}$${showCents(Math.abs(cents))} USD`;
  const isAutomatic = payment.kind === 'auto';
  const what = isAutomatic ? 'Prepaid credit, automatic top-up' : 'Prepaid credit';
  const taxRows = taxes.map((tax) => [`${tax.name} ${formatRate(tax.ratePpm)}`, show(tax.amountCents)]);
  const included = taxes.length === 0 ? [] : [['Net amount', show(netCents)], ...taxRows];
  const rows =
    payment.taxMode === 'included'
      ? [[what, show(amountCents)], ...included]
      : [[what, show(netCents)], ...taxRows];
  const total = kind === 'credit_note' ? 'Amount credited' : 'Amount paid';
  return {
    heading: null,
    columns: [
      { head: 'Description', isNumber: false },
      { head: 'Amount', isNumber: true },
    ],
    rows,
    foot: [[total, show(amountCents)]],
  };
}

function describeMethod({ document: { methodBrand, methodLast4 }, payment }: FoundDocument): string {
  if (methodBrand === null) return payment.provider === 'stripe' ? 'Stripe' : 'Test card';
  if (methodBrand === 'test') return `Test card ending in ${methodLast4 ?? ''}`;
  const brand = methodBrand.charAt(0).toUpperCase() + methodBrand.slice(1).replaceAll('_', ' ');
  return methodLast4 === null || methodLast4 === '' ? brand : `${brand} ending in ${methodLast4}`;
}

/** In UTC, as a document says the same to everyone: `21 November 2026`. */
export function formatDay(at: Date): string {
  return at.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
}
