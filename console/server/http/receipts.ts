import { findDocument, type FoundDocument } from '@tollgate/db/queries/documents/find-document';
import { Hono, type Context } from 'hono';
import type { Deps } from '../deps.ts';
import { DOCUMENT_TITLES, getDocumentSheet } from '../documents/document-sheet.ts';
import { writeSheetPage } from '../documents/sheet-page.ts';
import { showCents } from '../payments/amounts.ts';
import type { AppEnv } from './app-env.ts';
import { missingPage } from './page.ts';
import { readPageSession } from './page-session.ts';
import { sendPdf } from './send-pdf.ts';

/**
 * Receipts and credit notes as pages and PDFs, by their own ID or by the ID of the payment, for everyone in the account
 * and for operators.
 */
export function receiptRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/receipts/:file', async (c) => {
    c.header('cache-control', 'no-store');
    const session = await readPageSession(c, deps);
    if (session === null) return c.redirect('/sign-in');
    const [, id = '', extension] = /^(\w+?)(\.pdf)?$/.exec(c.req.param('file')) ?? [];
    const { id: ownId, isOperator } = session.user;
    const found = await findDocument(deps.db, { id, userId: isOperator ? null : ownId });
    if (found === null) return c.html(missingPage(), 404);
    if (!isOperator && found.requiresTwoFactor && !session.secondFactor.isConfirmed) return c.redirect('/');
    return send(c, deps, { found, isPdf: extension !== undefined });
  });
}

/** `credit note C-2026-000004 (−$5.00 USD)`. */
function describeCorrection({ kind, number, amountCents }: FoundDocument['document']): string {
  const sign = kind === 'credit_note' ? '−' : '';
  return `${DOCUMENT_TITLES[kind].toLowerCase()} ${number} (${sign}$${showCents(amountCents)} USD)`;
}

function send(c: Context<AppEnv>, deps: Deps, { found, isPdf }: { found: FoundDocument; isPdf: boolean }) {
  const { document, correctedBy } = found;
  const sheet = getDocumentSheet(found, deps.settings.receiptIssuer);
  if (isPdf) return sendPdf(c, sheet, document.number);
  const corrections = correctedBy.map((other) => ({
    label: describeCorrection(other),
    href: `/receipts/${other.id}`,
  }));
  return c.html(writeSheetPage(sheet, { pdf: `/receipts/${document.id}.pdf`, corrections }));
}
