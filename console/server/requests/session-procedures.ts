import { REQUEST_FILTER_FIELDS, requestFilterSchema } from '@tollgate/core/requests/request-filter';
import { listSessions, listTurns, readSession } from '@tollgate/db/queries/requests/list-sessions';
import { z } from 'zod';
import { notFound } from '../denial.ts';
import { memberProcedure } from '../trpc.ts';
import { toListRow, type RequestListRow } from './request-views.ts';
import { toSessionList, toSessionView, type SessionListView, type SessionView } from './session-views.ts';

const { session } = REQUEST_FILTER_FIELDS;
const filterSchema = requestFilterSchema.pick({ key: true, range: true, zone: true, from: true, to: true });

/** The procedures about sessions of requests. */
export const sessionProcedures = {
  /** Sessions that were active in a time range, the most recent first. */
  sessions: memberProcedure('viewer')
    .input(z.object({ filter: filterSchema.default({}) }))
    .query(async ({ ctx, input }): Promise<SessionListView> => {
      const { db, clock } = ctx.deps;
      const query = { accountId: ctx.account.id, filter: input.filter, nowMs: clock.nowMs() };
      return toSessionList(await listSessions(db, query));
    }),

  session: memberProcedure('viewer')
    .input(z.object({ session }))
    .query(async ({ ctx, input }): Promise<SessionView> => {
      const query = { accountId: ctx.account.id, session: input.session };
      const totals = await readSession(ctx.deps.db, query);
      if (totals === null) throw notFound('session');
      return toSessionView(totals);
    }),

  /** The requests of a session, the oldest first. */
  turns: memberProcedure('viewer')
    .input(
      z.object({
        session,
        cursor: z.string().max(120).nullish(),
        limit: z.int().min(1).max(100).default(100),
      }),
    )
    .query(async ({ ctx, input }): Promise<{ requests: RequestListRow[]; nextCursor: string | null }> => {
      const { requests, nextCursor } = await listTurns(ctx.deps.db, {
        accountId: ctx.account.id,
        session: input.session,
        cursor: input.cursor ?? undefined,
        limit: input.limit,
      });
      return { requests: requests.map(toListRow), nextCursor };
    }),
};
