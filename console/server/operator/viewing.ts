import { beginViewing, endViewing } from '@tollgate/db/queries/operator/impersonation';
import { z } from 'zod';
import { notFound } from '../denial.ts';
import { operatorProcedure, router } from '../trpc.ts';

/** Long enough to look, short enough to be forgotten. */
const VIEWING_MS = 30 * 60_000;

/**
 * Read-only access to an account with the rights of a viewer: the session changes nothing anywhere until it ends,
 * automatically or by `end`. The operator stays signed in as themselves: no session of another user is opened.
 */
export const operatorViewingRouter = router({
  begin: operatorProcedure
    .input(
      z.object({
        accountId: z.string().max(64),
        reason: z.string().trim().min(1, 'Enter a reason.').max(500),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<{ endsAt: string }> => {
      const { db, clock, sessions } = ctx.deps;
      const nowMs = clock.nowMs();
      const endsAt = new Date(nowMs + VIEWING_MS);
      const hasBegun = await beginViewing(db, {
        ...input,
        idHash: sessions.hashId(ctx.session.id),
        now: new Date(nowMs),
        endsAt,
        actorUserId: ctx.session.user.id,
      });
      if (!hasBegun) throw notFound('account');
      return { endsAt: endsAt.toISOString() };
    }),

  /** The only change that is allowed while viewing. */
  end: operatorProcedure.mutation(async ({ ctx }): Promise<void> => {
    const idHash = ctx.deps.sessions.hashId(ctx.session.id);
    await endViewing(ctx.deps.db, { idHash, actorUserId: ctx.session.user.id });
  }),
});
