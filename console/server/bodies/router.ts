import { requestIdSchema } from '@tollgate/core/requests/request-filter';
import { z } from 'zod';
import { createRetentionProcedures } from '../retention/retention-procedures.ts';
import { memberProcedure, router } from '../trpc.ts';
import { readBodies, type BodiesView } from './read-bodies.ts';

/** Request logging. */
export const bodiesRouter = router({
  ...createRetentionProcedures('bodies'),

  /** The decrypted payloads: for members, not for operators who view the account. Reads are audited. */
  get: memberProcedure('member')
    .input(z.object({ requestId: requestIdSchema }))
    .query(({ ctx, input: { requestId } }): Promise<BodiesView> =>
      readBodies(ctx.deps, { accountId: ctx.account.id, requestId, userId: ctx.session.user.id }),
    ),
});
