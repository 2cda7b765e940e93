import { retentionSchema, type RetentionKind } from '@tollgate/core/requests/retention';
import { deleteStale } from '@tollgate/db/queries/retention/delete-stale';
import {
  findRetention,
  keepStored,
  stopKeepingStored,
} from '@tollgate/db/queries/retention/retention-setting';
import { z } from 'zod';
import type { Done } from '../auth/router.ts';
import { confirmedMemberProcedure, memberProcedure, verifiedMemberProcedure } from '../trpc.ts';

/** How long an account stores data of one kind. */
export interface RetentionView {
  retentionDays: number;
  /** Of requests that began since then. */
  since: string;
}

/** The procedures of an account's setting for one kind of stored data. */
export function createRetentionProcedures(kind: RetentionKind) {
  return {
    /** null: nothing is stored. */
    setting: memberProcedure('viewer').query(async ({ ctx }): Promise<RetentionView | null> => {
      const setting = await findRetention(ctx.deps.db, kind, ctx.account.id);
      if (setting === null) return null;
      return { retentionDays: setting.retentionDays, since: setting.since.toISOString() };
    }),

    /** Turns storing on or changes its retention; what is older is deleted before this responds. */
    keep: confirmedMemberProcedure('admin')
      .input(z.object({ retentionDays: retentionSchema(kind) }))
      .mutation(async ({ ctx, input: { retentionDays } }): Promise<Done> => {
        const { db, clock } = ctx.deps;
        const accountId = ctx.account.id;
        const now = new Date(clock.nowMs());
        await keepStored(db, kind, { accountId, actorUserId: ctx.session.user.id, retentionDays, now });
        await deleteStale(db, kind, { accountId, now });
        return {};
      }),

    /** Turns it off. Everything that was stored is deleted before this responds. */
    stop: verifiedMemberProcedure('admin').mutation(async ({ ctx }): Promise<Done> => {
      const { db, clock } = ctx.deps;
      const accountId = ctx.account.id;
      await stopKeepingStored(db, kind, { accountId, actorUserId: ctx.session.user.id });
      await deleteStale(db, kind, { accountId, now: new Date(clock.nowMs()) });
      return {};
    }),
  };
}
