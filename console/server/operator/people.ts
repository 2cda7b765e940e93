import { resetSignIn, type SignInParts } from '@tollgate/db/queries/users/reset-sign-in';
import { findUserById } from '@tollgate/db/queries/users/users';
import { inTransaction } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import { signInResetMail } from '@tollgate/mail/sign-in-reset-mail';
import { z } from 'zod';
import { deny, notFound } from '../denial.ts';
import { confirmedOperatorProcedure, router } from '../trpc.ts';
import { reasonSchema } from './reason.ts';

export const operatorPeopleRouter = router({
  /**
   * For a user who lost their phone: removes their second factor, their passkeys or both, and ends all their
   * sessions. `email` is typed for confirmation and must be theirs.
   */
  resetSignIn: confirmedOperatorProcedure
    .input(
      z.object({
        userId: z.string().max(64),
        email: z.string().trim().max(320),
        twoFactor: z.boolean(),
        passkeys: z.boolean(),
        reason: reasonSchema,
      }),
    )
    .mutation(async ({ ctx, input }): Promise<SignInParts> => {
      const { deps, session } = ctx;
      const { email, ...reset } = input;
      if (reset.userId === session.user.id)
        throw deny('BAD_REQUEST', 'Change your own sign-in in your settings.');
      const user = await findUserById(deps.db, reset.userId);
      if (user === null || user.deletedAt !== null) throw notFound('person');
      if (user.email.toLowerCase() !== email.toLowerCase())
        throw deny('BAD_REQUEST', 'The email does not match this person.', { field: 'email' });
      const done = await inTransaction(deps.db, async (tx) => {
        const result = await resetSignIn(tx, { ...reset, actorUserId: session.user.id });
        if (result !== null)
          await queueMail(tx, deps.sealer, {
            recipient: result.email,
            mail: signInResetMail(result.removed),
          });
        return result;
      });
      if (done === null)
        throw deny('BAD_REQUEST', 'Nothing to remove. Choose a sign-in method that this user has.');
      deps.onMailQueued();
      return done.removed;
    }),
});
