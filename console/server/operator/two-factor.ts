import {
  readAccountTwoFactor,
  readOperatorTwoFactor,
  setAccountTwoFactor,
  setOperatorTwoFactor,
} from '@tollgate/db/queries/accounts/two-factor-policy';
import { z } from 'zod';
import { checkOwnFactor } from '../auth/second-factor-policy.ts';
import { notFound } from '../denial.ts';
import { confirmedOperatorProcedure, operatorProcedure, router } from '../trpc.ts';
import type { Done } from '../auth/router.ts';
import type { TwoFactorPolicyView } from '../team/two-factor-router.ts';

const accountSchema = z.object({ accountId: z.string().max(64) });
const changeSchema = z.object({ required: z.boolean() });

/** Two-factor authentication as operators require it: of each other, and of the members of an account. */
export const operatorTwoFactorRouter = router({
  get: operatorProcedure.query(({ ctx }): Promise<TwoFactorPolicyView> => readOperatorTwoFactor(ctx.deps.db)),

  /** Refuses as BAD_REQUEST with `data.reason` `own_factor` an operator whose own session has not used a second factor. */
  set: confirmedOperatorProcedure.input(changeSchema).mutation(async ({ ctx, input }): Promise<Done> => {
    if (input.required) checkOwnFactor(ctx.session);
    const now = new Date(ctx.deps.clock.nowMs());
    const actorUserId = ctx.session.user.id;
    await setOperatorTwoFactor(ctx.deps.db, { actorUserId, now, required: input.required });
    return {};
  }),

  getOfAccount: operatorProcedure
    .input(accountSchema)
    .query(async ({ ctx, input }): Promise<TwoFactorPolicyView> => {
      const policy = await readAccountTwoFactor(ctx.deps.db, input.accountId);
      if (policy === null) throw notFound('account');
      return policy;
    }),

  setOfAccount: confirmedOperatorProcedure
    .input(accountSchema.extend(changeSchema.shape))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      const actorUserId = ctx.session.user.id;
      if ((await readAccountTwoFactor(ctx.deps.db, input.accountId)) === null) throw notFound('account');
      await setAccountTwoFactor(ctx.deps.db, { ...input, actorUserId });
      return {};
    }),
});
