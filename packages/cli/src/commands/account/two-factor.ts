import { emailSchema } from '@tollgate/core/keys/credentials';
import { readAccountTwoFactor, setAccountTwoFactor } from '@tollgate/db/queries/accounts/two-factor-policy';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { getAccount } from './account-view.ts';

export function addAccountTwoFactor(account: Command): void {
  addCommand(account, {
    usage: 'two-factor <required|optional>',
    summary: 'Set whether members of an account must use two-factor authentication',
    positional: ['policy'],
    options: [{ flags: '--email <email>', about: "the account's owner", required: true }],
    input: z.object({
      email: emailSchema,
      policy: z.enum(['required', 'optional'], { error: 'must be required or optional' }),
    }),
    examples: [
      'tollgate account two-factor required --email you@example.com',
      'tollgate account two-factor optional --email you@example.com',
    ],
    run: ({ email, policy }, { env }) =>
      withInstallation(env, async ({ db }) => {
        const { id: accountId } = await getAccount(db, email);
        const required = policy === 'required';
        const changed = await setAccountTwoFactor(db, { accountId, required, actorUserId: null });
        const peopleWithout = (await readAccountTwoFactor(db, accountId))?.peopleWithout ?? 0;
        const state = `Two-factor authentication is ${changed ? 'now' : 'already'} ${policy} for the account of ${email}.`;
        return {
          json: { accountId, required, changed, peopleWithout },
          text: required && peopleWithout > 0 ? `${state}\nMembers without it: ${peopleWithout}` : state,
        };
      }),
  });
}
