import {
  emailSchema,
  oneTimeCodeSchema,
  PASSWORD_MAX_LENGTH,
  passwordSchema,
  secondFactorCodeSchema,
} from '@tollgate/core/keys/credentials';
import { returnPathSchema } from '@tollgate/core/people/return-path';
import { z } from 'zod';
import { enterCode } from './enter-code.ts';
import type { Entry } from './enter.ts';
import { requestPasswordReset, resetPassword } from './reset-password.ts';
import { signIn } from './sign-in.ts';
import { signOut, signOutEverywhere } from './sign-out.ts';
import { findOperatorLinkProblem, signUp } from './sign-up.ts';
import type { Resend } from './throttle.ts';
import { resendVerification, verifyEmail, type VerifiedEntry } from './verify-email.ts';
import { publicProcedure, router, signedInProcedure } from '../trpc.ts';

/** Token of a link; any problem with it is reported as "expired or used". */
const tokenSchema = z.string().max(200);
/** A password as it is checked, not as it is chosen: its rules may have been others. */
const presentedPasswordSchema = z.string().min(1, 'Enter your password').max(PASSWORD_MAX_LENGTH);

/** Empty response: done. */
export type Done = Record<string, never>;

export const authRouter = router({
  /** Checks an operator link before the sign-up form is filled in. `problem`: why it does not work; null if it works. */
  operatorLink: publicProcedure
    .input(z.object({ token: tokenSchema }))
    .query(async ({ ctx, input }): Promise<{ problem: string | null }> => ({
      problem: await findOperatorLinkProblem(ctx, input.token),
    })),

  /** Refuses a common password as BAD_REQUEST with `data.field` `password`, a dead operator link with `operatorToken`. */
  signUp: publicProcedure
    .input(
      z.object({
        email: emailSchema,
        password: passwordSchema,
        operatorToken: tokenSchema.optional(),
        returnTo: returnPathSchema.optional(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<Resend> => signUp(ctx, input)),

  /** Refuses as BAD_REQUEST with `data.field` `code` or `token`. A code works only in the browser that requested it. */
  verifyEmail: publicProcedure
    .input(
      z.union([z.object({ email: emailSchema, code: oneTimeCodeSchema }), z.object({ token: tokenSchema })]),
    )
    .mutation(async ({ ctx, input }): Promise<VerifiedEntry> => verifyEmail(ctx, input)),

  resendVerification: publicProcedure
    .input(z.object({ email: emailSchema, returnTo: returnPathSchema.optional() }))
    .mutation(async ({ ctx, input }): Promise<Resend> => resendVerification(ctx, input)),

  /** Refuses as BAD_REQUEST with `data.reason` `wrong_credentials`: UNAUTHORIZED always means "no session". */
  signIn: publicProcedure
    .input(z.object({ email: emailSchema, password: presentedPasswordSchema }))
    .mutation(async ({ ctx, input }): Promise<Entry> => signIn(ctx, input)),

  /**
   * The second step: an authenticator or recovery code. Refuses as BAD_REQUEST with `data.field` `code`, or with
   * `data.reason` `sign_in_again` if the first step has expired.
   */
  enterCode: publicProcedure
    .input(z.object({ code: secondFactorCodeSchema }))
    .mutation(async ({ ctx, input }): Promise<Entry> => enterCode(ctx, input.code)),

  /** Public, so that signing out of an expired session is not an error. */
  signOut: publicProcedure.mutation(async ({ ctx }): Promise<Done> => {
    await signOut(ctx);
    return {};
  }),

  signOutEverywhere: signedInProcedure.mutation(async ({ ctx }): Promise<Done> => {
    await signOutEverywhere(ctx);
    return {};
  }),

  requestPasswordReset: publicProcedure
    .input(z.object({ email: emailSchema }))
    .mutation(async ({ ctx, input }): Promise<Resend> => requestPasswordReset(ctx, input.email)),

  /** Refuses as BAD_REQUEST with `data.field` `token` or `password`. */
  resetPassword: publicProcedure
    .input(z.object({ token: tokenSchema, password: passwordSchema }))
    .mutation(async ({ ctx, input }): Promise<Entry> => resetPassword(ctx, input)),
});
