import { emailSchema } from '@tollgate/core/keys/credentials';
import { resetSignIn } from '@tollgate/db/queries/users/reset-sign-in';
import { inTransaction } from '@tollgate/db/transaction';
import { queueMail } from '@tollgate/mail/queue-mail';
import { signInResetMail } from '@tollgate/mail/sign-in-reset-mail';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { getUser } from './find.ts';

export function addUserReset2fa(user: Command): void {
  addCommand(user, {
    usage: 'reset-2fa <EMAIL>',
    summary: "Remove a user's authenticator app, end all sessions, and notify the user by email",
    positional: ['email'],
    options: [
      { flags: '--passkeys', about: 'also remove passkeys' },
      { flags: '--reason <text>', about: 'reason for the audit log' },
    ],
    input: z.object({
      email: emailSchema,
      passkeys: z.boolean().default(false),
      reason: z.string().trim().min(1, 'must not be empty').max(500).optional(),
    }),
    examples: [
      'tollgate user reset-2fa you@example.com',
      "tollgate user reset-2fa you@example.com --passkeys --reason 'lost phone'",
    ],
    run: ({ email, passkeys, reason = null }, { env }) =>
      withInstallation(env, async ({ db, sealer }) => {
        const { id: userId } = await getUser(db, email);
        const seal = sealer();
        const done = await inTransaction(db, async (tx) => {
          const wanted = { userId, twoFactor: true, passkeys, reason, actorUserId: null };
          const done = await resetSignIn(tx, wanted);
          if (done !== null)
            await queueMail(tx, seal, { recipient: done.email, mail: signInResetMail(done.removed) });
          return done;
        });
        if (done === null) throw nothingToReset(email, passkeys);
        const { twoFactor, passkeys: removedPasskeys } = done.removed;
        const parts = [
          ...(twoFactor ? ['the authenticator app and its recovery codes'] : []),
          ...(removedPasskeys > 0
            ? [removedPasskeys === 1 ? '1 passkey' : `${removedPasskeys} passkeys`]
            : []),
        ];
        return {
          json: { userId, email: done.email, removed: { twoFactor, passkeys: removedPasskeys } },
          text: `Removed ${parts.join(' and ')} of ${done.email}. All sessions ended; the user is notified by email.`,
        };
      }),
  });
}

function nothingToReset(email: string, passkeys: boolean): Failure {
  return passkeys
    ? new Failure('nothing_to_reset', `${email} has neither an authenticator app nor a passkey`)
    : new Failure(
        'nothing_to_reset',
        `${email} has no active authenticator app. To remove passkeys, add --passkeys.`,
      );
}
