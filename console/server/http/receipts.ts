import { findReceipt } from '@tollgate/db/queries/payments/receipt';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { writeReceiptPage } from '../payments/receipt-page.ts';
import type { AppEnv } from './app-env.ts';
import { missingPage } from './page.ts';
import { readPageSession } from './page-session.ts';

/** Printable receipts, for everyone in the account and for operators. */
export function receiptRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/receipts/:paymentId', async (c) => {
    c.header('cache-control', 'no-store');
    const session = await readPageSession(c, deps);
    if (session === null) return c.redirect('/sign-in');
    const paymentId = c.req.param('paymentId');
    const { id, isOperator } = session.user;
    const userId = isOperator ? null : id;
    const receipt = await findReceipt(deps.db, { paymentId, userId });
    if (receipt === null) return c.html(missingPage(), 404);
    if (!isOperator && receipt.requiresTwoFactor && !session.secondFactor.isConfirmed) return c.redirect('/');
    return c.html(writeReceiptPage(receipt, deps.settings.receiptIssuer));
  });
}
