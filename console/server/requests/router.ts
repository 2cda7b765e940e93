import { requestFilterSchema, requestIdSchema } from '@tollgate/core/requests/request-filter';
import { findRequest } from '@tollgate/db/queries/requests/find-request';
import { listFailures } from '@tollgate/db/queries/requests/list-failures';
import { listRequests } from '@tollgate/db/queries/requests/list-requests';
import { z } from 'zod';
import { deny, notFound } from '../denial.ts';
import { toFailureList, type FailureListView } from './failure-views.ts';
import { toDetail, toListRow, type RequestDetail, type RequestListRow } from './request-views.ts';
import { sessionProcedures } from './session-procedures.ts';
import { tailRequests, takeTail } from './tail-requests.ts';
import { memberProcedure, router } from '../trpc.ts';

export interface RequestListPage {
  requests: RequestListRow[];
  nextCursor: string | null;
  /** How far back this page has looked, if there is more to look at and it found less than it may show. */
  searchedTo: string | null;
}

/** `gap`: more requests arrived than can be sent; the log must be reloaded. */
export type RequestTailEvent = { kind: 'rows'; rows: RequestListRow[] } | { kind: 'gap' };

const listInputSchema = z.object({
  filter: requestFilterSchema.default({}),
  cursor: z.string().max(120).nullish(),
  limit: z.int().min(1).max(100).default(50),
});

const failureFilterSchema = requestFilterSchema.pick({
  key: true,
  model: true,
  range: true,
  zone: true,
  from: true,
  to: true,
});

export const requestsRouter = router({
  ...sessionProcedures,

  list: memberProcedure('viewer')
    .input(listInputSchema)
    .query(async ({ ctx, input }): Promise<RequestListPage> => {
      const { db, clock } = ctx.deps;
      const page = await listRequests(db, {
        accountId: ctx.account.id,
        filter: input.filter,
        cursor: input.cursor ?? undefined,
        limit: input.limit,
        nowMs: clock.nowMs(),
      });
      return {
        requests: page.requests.map(toListRow),
        nextCursor: page.nextCursor,
        searchedTo: page.searchedTo?.toISOString() ?? null,
      };
    }),

  /** Failed requests by cause. */
  failures: memberProcedure('viewer')
    .input(z.object({ filter: failureFilterSchema.default({}) }))
    .query(async ({ ctx, input }): Promise<FailureListView> => {
      const { db, clock } = ctx.deps;
      const query = { accountId: ctx.account.id, filter: input.filter, nowMs: clock.nowMs() };
      return toFailureList(await listFailures(db, query), false);
    }),

  get: memberProcedure('viewer')
    .input(z.object({ requestId: requestIdSchema }))
    .query(async ({ ctx, input }): Promise<RequestDetail> => {
      const query = { accountId: ctx.account.id, requestId: input.requestId };
      const record = await findRequest(ctx.deps.db, query);
      if (record === null) throw notFound('request');
      return toDetail(record, { isOperator: ctx.session.user.isOperator });
    }),

  /** Requests as they come in and as they end. */
  tail: memberProcedure('viewer')
    .input(z.object({ filter: requestFilterSchema.default({}) }))
    .subscription(async function* tail({ ctx, input, signal }): AsyncGenerator<RequestTailEvent> {
      const { account, session, deps } = ctx;
      const giveBack = takeTail(session.id);
      if (giveBack === null)
        throw deny('TOO_MANY_REQUESTS', 'Too many live logs are open. Close one and try again.');
      try {
        const tailed = {
          ...deps,
          accountId: account.id,
          userId: session.user.id,
          filter: input.filter,
          signal,
        };
        for await (const event of tailRequests(tailed)) {
          yield event.kind === 'gap' ? event : { kind: 'rows', rows: event.rows.map(toListRow) };
        }
        if (signal?.aborted !== true) throw notFound('account');
      } finally {
        giveBack();
      }
    }),
});
