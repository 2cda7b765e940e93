import { readAccountTwoFactor, setAccountTwoFactor } from '@tollgate/db/queries/accounts/two-factor-policy';
import { z } from 'zod';
import { checkOwnFactor } from '../auth/second-factor-policy.ts';
import { notFound } from '../denial.ts';
import { confirmedMemberProcedure, memberProcedure, router } from '../trpc.ts';
import type { Done } from '../auth/router.ts';

export interface TwoFactorPolicyView {
  required: boolean;
  /** Members under the policy without an authenticator app or passkey. */
  peopleWithout: number;
}

/** Whether an account requires two-factor authentication of its members. API keys work in either case. */
export const teamTwoFactorRouter = router({
  get: memberProcedure('viewer').query(async ({ ctx }): Promise<TwoFactorPolicyView> => {
    const policy = await readAccountTwoFactor(ctx.deps.db, ctx.account.id);
    if (policy === null) throw notFound('account');
    return policy;
  }),

  /** Refuses as BAD_REQUEST with `data.reason` `own_factor` a user whose own session has not used a second factor. */
  set: confirmedMemberProcedure('admin')
    .input(z.object({ required: z.boolean() }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      if (input.required) checkOwnFactor(ctx.session);
      const { id: accountId } = ctx.account;
      const actorUserId = ctx.session.user.id;
      await setAccountTwoFactor(ctx.deps.db, { accountId, actorUserId, required: input.required });
      return {};
    }),
});
