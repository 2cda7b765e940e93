import { emailSchema } from '@tollgate/core/keys/credentials';
import { setAccountSuspended } from '@tollgate/db/queries/accounts/accounts';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { accountJson, getAccount } from './account-view.ts';

/** `suspend` and `resume` share one command definition. */
export function addAccountSuspend(account: Command): void {
  addDirection(account, {
    name: 'suspend',
    suspended: true,
    summary: 'Suspend an account; requests with its keys fail with 403',
    done: 'is suspended. Requests with its keys now fail with 403.',
    before: 'was already suspended',
  });
  addDirection(account, {
    name: 'resume',
    suspended: false,
    summary: 'Resume a suspended account; its keys work again',
    done: 'is active again',
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
