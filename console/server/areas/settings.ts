import {
  emailSchema,
  oneTimeCodeSchema,
  PASSWORD_MAX_LENGTH,
  passwordSchema,
} from '@tollgate/core/credentials';
import { z } from 'zod';
import { confirmEmailChange, requestEmailChange } from '../auth/change-email.ts';
import { changePassword } from '../auth/change-password.ts';
import { router, signedInProcedure } from '../trpc.ts';
import type { Done, Resend } from './auth.ts';

const currentPasswordSchema = z.string().min(1, 'Enter your current password').max(PASSWORD_MAX_LENGTH);

export const settingsRouter = router({
  /** Refuses as BAD_REQUEST with `data.field` `currentPassword` or `newPassword`. */
  changePassword: signedInProcedure
    .input(z.object({ currentPassword: currentPasswordSchema, newPassword: passwordSchema }))
    .mutation(async ({ ctx, input }): Promise<Done> => {
      await changePassword(ctx, input);
      return {};
    }),

  /** Refuses as BAD_REQUEST with `data.field` `password` or `email` (the same as now). */
  requestEmailChange: signedInProcedure
    .input(z.object({ email: emailSchema, password: currentPasswordSchema }))
    .mutation(async ({ ctx, input }): Promise<Resend> => requestEmailChange(ctx, input)),

  /** Refuses as BAD_REQUEST with `data.field` `code` or `token`. A link works for the person who asked for it alone. */
  confirmEmailChange: signedInProcedure
    .input(z.union([z.object({ code: oneTimeCodeSchema }), z.object({ token: z.string().max(200) })]))
    .mutation(async ({ ctx, input }): Promise<{ email: string }> => confirmEmailChange(ctx, input)),
});
