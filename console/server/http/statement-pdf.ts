import { statementMonthSchema } from '@tollgate/core/money/statement-month';
import { readStatement } from '@tollgate/db/queries/ledger/statements/read-statement';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import { getStatementSheet } from '../statements/statement-sheet.ts';
import { getFilePeriod, toStatementView } from '../statements/statement-view.ts';
import type { AppEnv } from './app-env.ts';
import { missingPage } from './page.ts';
import { findPageMembership, readPageSession } from './page-session.ts';
import { sendPdf } from './send-pdf.ts';

/** Monthly statements as PDF, for the members of the account. */
export function statementPdfRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/statements/:file{.+\\.pdf}', async (c) => {
    c.header('cache-control', 'no-store');
    const session = await readPageSession(c, deps);
    if (session === null) return c.redirect('/sign-in');
    const month = statementMonthSchema.safeParse(c.req.param('file').replace(/\.pdf$/, ''));
    const accountId = c.req.query('accountId') ?? '';
    const membership = await findPageMembership(deps, session, accountId);
    if (membership === null || !month.success) return c.html(missingPage(), 404);
    if (membership.requiresTwoFactor && !session.secondFactor.isConfirmed) return c.redirect('/');
    const query = { accountId, month: month.data, nowMs: deps.clock.nowMs() };
    const statement = await readStatement(deps.db, query);
    if (statement === null) return c.html(missingPage(), 404);
    const sheet = getStatementSheet(toStatementView(statement, deps.settings.receiptIssuer));
    return sendPdf(c, sheet, `statement-${getFilePeriod(statement)}`);
  });
}
