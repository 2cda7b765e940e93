import { responseRetentionSchema } from '@tollgate/core/requests/stored-responses';
import { deleteStaleResponses } from '@tollgate/db/queries/responses/delete-stale-responses';
import {
  findResponseSetting,
  keepResponses,
  stopKeepingResponses,
} from '@tollgate/db/queries/responses/response-setting';
import { z } from 'zod';
import type { Done } from '../auth/router.ts';
import { confirmedMemberProcedure, memberProcedure, router, verifiedMemberProcedure } from '../trpc.ts';

/** Setting for stored responses of an account. */
export interface ResponseSettingView {
  retentionDays: number;
  /** Of requests that began since then. */
  since: string;
}

export const responsesRouter = router({
  /** null: nothing is stored. */
  setting: memberProcedure('viewer').query(async ({ ctx }): Promise<ResponseSettingView | null> => {
    const setting = await findResponseSetting(ctx.deps.db, ctx.account.id);
    if (setting === null) return null;
    return { retentionDays: setting.retentionDays, since: setting.since.toISOString() };
  }),

  /** Turns storing on or changes its retention; older responses are deleted before this responds. */
  keep: confirmedMemberProcedure('admin')
    .input(z.object({ retentionDays: responseRetentionSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      const { db, clock } = ctx.deps;
      const accountId = ctx.account.id;
      const now = new Date(clock.nowMs());
      const { retentionDays } = input;
      await keepResponses(db, { accountId, actorUserId: ctx.session.user.id, retentionDays, now });
      await deleteStaleResponses(db, { accountId, now });
      return {};
    }),

  /** Turns it off. Everything that was stored is deleted by the time this answers. */
  stop: verifiedMemberProcedure('admin').mutation(async ({ ctx }): Promise<Done> => {
    const { db, clock } = ctx.deps;
    const accountId = ctx.account.id;
    await stopKeepingResponses(db, { accountId, actorUserId: ctx.session.user.id });
    await deleteStaleResponses(db, { accountId, now: new Date(clock.nowMs()) });
    return {};
  }),
});
