import { emailSchema } from '@tollgate/core/keys/credentials';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { NO_PASSWORD } from '@tollgate/auth/password';
import { markEmailVerified } from '@tollgate/db/queries/users/verify-email';
import { lockUser } from '@tollgate/db/queries/users/users';
import { inTransaction } from '@tollgate/db/transaction';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { iso, moment } from '../../output/format.ts';
import { getUser } from './find.ts';

const PASSWORD_DROPPED =
  '\nThe password was removed because someone else could have set it. The user can set one with "Forgot password?".';

export function addUserVerifyEmail(user: Command): void {
  addCommand(user, {
    usage: 'verify-email <EMAIL>',
    summary: "Mark a user's email as verified and remove the password set before verification",
    positional: ['email'],
    options: [
      { flags: '--keep-password', about: 'keep the password if you know that the owner of the email set it' },
    ],
    input: z.object({ email: emailSchema, keepPassword: z.boolean().default(false) }),
    examples: [
      'tollgate user verify-email you@example.com',
      'tollgate user verify-email you@example.com --keep-password',
    ],
    run: ({ email, keepPassword }, { env, clock }) =>
      withInstallation(env, async ({ db }) => {
        const found = await getUser(db, email);
        const now = new Date(clock.nowMs());
        const before = await inTransaction(db, async (tx) => {
          // The user may have verified the email with a code in the meantime.
          const locked = await lockUser(tx, found.id);
          if (locked === null || locked.emailVerifiedAt !== null) return locked?.emailVerifiedAt ?? null;
          const passwordHash = keepPassword ? locked.passwordHash : NO_PASSWORD;
          await markEmailVerified(tx, { user: locked, at: now, passwordHash });
          await recordAudit(tx, { actorUserId: null, action: 'user.email_verified', subject: found.id });
          return null;
        });
        return {
          json: { userId: found.id, email: found.email, emailVerifiedAt: iso(before ?? now) },
          text:
            before === null
              ? `${found.email} is now verified.${keepPassword ? '' : PASSWORD_DROPPED}`
              : `${found.email} was already verified on ${moment(before)}`,
        };
      }),
  });
}
