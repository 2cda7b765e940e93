import { emailSchema } from '@tollgate/core/keys/credentials';
import { setAccountSuspended } from '@tollgate/db/queries/accounts/accounts';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { accountJson, getAccount } from './account-view.ts';

/** `suspend` and `resume`: the same command in its two directions. */
export function addAccountSuspend(account: Command): void {
  addDirection(account, {
    name: 'suspend',
    suspended: true,
    summary: 'Refuse every key of an account with 403, at once',
    done: 'is suspended: its keys answer 403',
    before: 'was suspended before',
  });
  addDirection(account, {
    name: 'resume',
    suspended: false,
    summary: 'Let the keys of a suspended account work again',
    done: 'works again',
    before: 'was not suspended',
  });
}

function addDirection(
  account: Command,
  direction: { name: string; suspended: boolean; summary: string; done: string; before: string },
): void {
  addCommand(account, {
    usage: direction.name,
    summary: direction.summary,
    options: [{ flags: '--email <email>', about: "the account's owner", required: true }],
    input: z.object({ email: emailSchema }),
    examples: [`tollgate account ${direction.name} --email you@example.com`],
    run: ({ email }, { env, clock }) =>
      withInstallation(env, async ({ db }) => {
        const { id } = await getAccount(db, email);
        const changed = await setAccountSuspended(db, {
          accountId: id,
          suspended: direction.suspended,
          now: new Date(clock.nowMs()),
        });
        const now = await getAccount(db, email);
        return { json: accountJson(now), text: `${email} ${changed ? direction.done : direction.before}` };
      }),
  });
}
