import { bodyRetentionSchema } from '@tollgate/core/requests/kept-bodies';
import { requestIdSchema } from '@tollgate/core/requests/request-filter';
import {
  findBodySetting,
  keepBodies,
  stopKeepingBodies,
  type BodySetting,
} from '@tollgate/db/queries/bodies/body-setting';
import { deleteStaleBodies } from '@tollgate/db/queries/bodies/delete-bodies';
import { z } from 'zod';
import { readBodies, type BodiesView } from './read-bodies.ts';
import { confirmedMemberProcedure, memberProcedure, router, verifiedMemberProcedure } from '../trpc.ts';
import type { Done } from '../auth/router.ts';

/** Request logging setting of an account. */
export interface BodySettingView {
  retentionDays: number;
  /** Of requests that began since then. */
  since: string;
}

export const bodiesRouter = router({
  /** null: nothing is kept. */
  setting: memberProcedure('viewer').query(async ({ ctx }): Promise<BodySettingView | null> => {
    const setting = await findBodySetting(ctx.deps.db, ctx.account.id);
    return setting === null ? null : toSettingView(setting);
  }),

  /** Turns request logging on or changes its retention; older payloads are deleted before this responds. */
  keep: confirmedMemberProcedure('admin')
    .input(z.object({ retentionDays: bodyRetentionSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      const { db, clock } = ctx.deps;
      const accountId = ctx.account.id;
      const now = new Date(clock.nowMs());
      const { retentionDays } = input;
      await keepBodies(db, { accountId, actorUserId: ctx.session.user.id, retentionDays, now });
      await deleteStaleBodies(db, { accountId, now });
      return {};
    }),

  /** Turns it off. Everything that was stored is deleted by the time this answers. */
  stop: verifiedMemberProcedure('admin').mutation(async ({ ctx }): Promise<Done> => {
    const { db, clock } = ctx.deps;
    const accountId = ctx.account.id;
    await stopKeepingBodies(db, { accountId, actorUserId: ctx.session.user.id });
    await deleteStaleBodies(db, { accountId, now: new Date(clock.nowMs()) });
    return {};
  }),

  /** The decrypted payloads: for members, not for operators who view the account. Reads are audited. */
  get: memberProcedure('member')
    .input(z.object({ requestId: requestIdSchema }))
    .query(({ ctx, input: { requestId } }): Promise<BodiesView> =>
      readBodies(ctx.deps, { accountId: ctx.account.id, requestId, userId: ctx.session.user.id }),
    ),
});

function toSettingView({ retentionDays, since }: BodySetting): BodySettingView {
  return { retentionDays, since: since.toISOString() };
}
