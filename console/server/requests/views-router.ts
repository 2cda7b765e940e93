import { hasRole } from '@tollgate/core/people/roles';
import {
  MAX_VIEWS,
  savedFilterSchema,
  viewIdSchema,
  viewNameSchema,
} from '@tollgate/core/requests/saved-view';
import {
  changeView,
  createView,
  listViews,
  removeView,
  type SavedView,
  type ViewActor,
  type ViewOutcome,
} from '@tollgate/db/queries/requests/saved-views';
import type { Role } from '@tollgate/core/people/roles';
import { z } from 'zod';
import type { Done } from '../auth/router.ts';
import { deny, notFound } from '../denial.ts';
import { memberProcedure, router } from '../trpc.ts';

/** A saved view of the request log. */
export interface SavedViewView extends Omit<SavedView, 'createdBy'> {
  /** The email of its creator; null: the reader, or a deleted user. */
  createdBy: string | null;
  canChange: boolean;
}

interface MemberContext {
  account: { id: string; role: Role };
  session: { user: { id: string } };
}

/** Saved views of the request log, of one person or shared with the account. */
export const viewsRouter = router({
  list: memberProcedure('viewer').query(async ({ ctx }): Promise<{ views: SavedViewView[] }> => {
    const actor = toActor(ctx);
    const views = await listViews(ctx.deps.db, actor);
    return {
      views: views.map(({ createdBy, ...view }) => ({
        ...view,
        createdBy: createdBy === null || createdBy.id === actor.userId ? null : createdBy.email,
        canChange: !view.isShared || actor.isAdmin || (actor.mayShare && createdBy?.id === actor.userId),
      })),
    };
  }),

  create: memberProcedure('viewer')
    .input(z.object({ name: viewNameSchema, isShared: z.boolean(), filter: savedFilterSchema }))
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      checkSharing(ctx, input.isShared);
      return getResult(await createView(ctx.deps.db, toActor(ctx), input));
    }),

  /** Members that are absent stay. */
  change: memberProcedure('viewer')
    .input(
      z.object({
        id: viewIdSchema,
        name: viewNameSchema.optional(),
        isShared: z.boolean().optional(),
        filter: savedFilterSchema.optional(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      checkSharing(ctx, input.isShared === true);
      const { id, name, isShared, filter } = input;
      return getResult(
        await changeView(ctx.deps.db, toActor(ctx), {
          id,
          ...(name !== undefined && { name }),
          ...(isShared !== undefined && { isShared }),
          ...(filter !== undefined && { filter }),
        }),
      );
    }),

  remove: memberProcedure('viewer')
    .input(z.object({ id: viewIdSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      if (!(await removeView(ctx.deps.db, toActor(ctx), input.id))) throw notFound('view');
      return {};
    }),
});

function toActor({ account, session }: MemberContext): ViewActor {
  const [mayShare, isAdmin] = [hasRole(account.role, 'member'), hasRole(account.role, 'admin')];
  return { accountId: account.id, userId: session.user.id, mayShare, isAdmin };
}

function checkSharing({ account }: MemberContext, isShared: boolean): void {
  if (isShared && !hasRole(account.role, 'member'))
    throw deny('FORBIDDEN', 'Viewers cannot share views.', { reason: 'role' });
}

function getResult(outcome: ViewOutcome): { id: string } {
  if (outcome.ok) return { id: outcome.id };
  switch (outcome.reason) {
    case 'missing':
      throw notFound('view');
    case 'name_taken':
      throw deny('BAD_REQUEST', 'Another view has this name.', { field: 'name' });
    case 'too_many':
      throw deny('BAD_REQUEST', `At most ${MAX_VIEWS} views can be saved. Delete one first.`);
  }
}
