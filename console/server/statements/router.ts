import { statementMonthSchema } from '@tollgate/core/money/statement-month';
import { listStatements } from '@tollgate/db/queries/ledger/statements/list-statements';
import { readStatement } from '@tollgate/db/queries/ledger/statements/read-statement';
import { z } from 'zod';
import { notFound } from '../denial.ts';
import { memberProcedure, router } from '../trpc.ts';
import { toStatementRow, toStatementView, type StatementRow, type StatementView } from './statement-view.ts';

export const statementsRouter = router({
  /** Every month since the account's first ledger entry, the newest first. */
  list: memberProcedure('viewer').query(async ({ ctx }): Promise<{ statements: StatementRow[] }> => {
    const { db, clock } = ctx.deps;
    const heads = await listStatements(db, { accountId: ctx.account.id, nowMs: clock.nowMs() });
    return { statements: heads.toReversed().map(toStatementRow) };
  }),

  get: memberProcedure('viewer')
    .input(z.object({ month: statementMonthSchema }))
    .query(async ({ ctx, input }): Promise<StatementView> => {
      const { db, clock, settings } = ctx.deps;
      const query = { accountId: ctx.account.id, month: input.month, nowMs: clock.nowMs() };
      const statement = await readStatement(db, query);
      if (statement === null) throw notFound('statement');
      return toStatementView(statement, settings.receiptIssuer);
    }),
});
