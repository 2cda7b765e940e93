import { emailSchema } from '@tollgate/core/keys/credentials';
import { recordAudit } from '@tollgate/db/queries/audit/audit';
import { NO_PASSWORD } from '@tollgate/auth/password';
import { proveEmail } from '@tollgate/db/queries/users/prove-email';
import { lockUser } from '@tollgate/db/queries/users/users';
import { inTransaction } from '@tollgate/db/transaction';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { iso, moment } from '../../output/format.ts';
import { getUser } from './find.ts';

const PASSWORD_DROPPED =
  '\nIts password was dropped, because anybody could have set it. "Forgot password?" sets a new one.';

export function addUserVerifyEmail(user: Command): void {
  addCommand(user, {
    usage: 'verify-email <EMAIL>',
    summary: 'Mark the e-mail of a login as verified, and drop the password that was set before',
    positional: ['email'],
    options: [{ flags: '--keep-password', about: 'if you know that the owner of the address set it' }],
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
          // What a code that was mailed meanwhile has proven stays as it is.
          const locked = await lockUser(tx, found.id);
          if (locked === null || locked.emailVerifiedAt !== null) return locked?.emailVerifiedAt ?? null;
          const passwordHash = keepPassword ? locked.passwordHash : NO_PASSWORD;
          await proveEmail(tx, { user: locked, at: now, passwordHash });
          await recordAudit(tx, { actorUserId: null, action: 'user.email_verified', subject: found.id });
          return null;
        });
        return {
          json: { userId: found.id, email: found.email, emailVerifiedAt: iso(before ?? now) },
          text:
            before === null
              ? `The e-mail of ${found.email} is verified.${keepPassword ? '' : PASSWORD_DROPPED}`
              : `The e-mail of ${found.email} was verified before, ${moment(before)}`,
        };
      }),
  });
}
