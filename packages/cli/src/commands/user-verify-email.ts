import { emailSchema } from '@tollgate/core/credentials';
import { recordAudit } from '@tollgate/db/queries/audit';
import { revokeCodes } from '@tollgate/db/queries/codes';
import { lockUser, markEmailVerified } from '@tollgate/db/queries/users';
import { inTransaction } from '@tollgate/db/transaction';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../command.ts';
import { withInstallation } from '../installation.ts';
import { iso, moment } from '../output/format.ts';
import { getUser } from './user-find.ts';

export function addUserVerifyEmail(user: Command): void {
  addCommand(user, {
    usage: 'verify-email <EMAIL>',
    summary: 'Take the e-mail of a login as proven, where mails do not arrive',
    positional: ['email'],
    input: z.object({ email: emailSchema }),
    examples: ['tollgate user verify-email you@example.com'],
    run: ({ email }, { env, clock }) =>
      withInstallation(env, async ({ db }) => {
        const found = await getUser(db, email);
        const now = new Date(clock.nowMs());
        const before = await inTransaction(db, async (tx) => {
          // What a code that was mailed meanwhile has proven stays as it is.
          const locked = await lockUser(tx, found.id);
          if (locked === null || locked.emailVerifiedAt !== null) return locked?.emailVerifiedAt ?? null;
          await markEmailVerified(tx, found.id, now);
          await revokeCodes(tx, found.id, 'verify_email');
          await recordAudit(tx, { actorUserId: null, action: 'user.email_verified', subject: found.id });
          return null;
        });
        return {
          json: { userId: found.id, email: found.email, emailVerifiedAt: iso(before ?? now) },
          text:
            before === null
              ? `The e-mail of ${found.email} counts as verified`
              : `The e-mail of ${found.email} was verified before, ${moment(before)}`,
        };
      }),
  });
}
