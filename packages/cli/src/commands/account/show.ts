import type { Command } from 'commander';
import { emailSchema } from '@tollgate/core/keys/credentials';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { accountJson, accountText, getAccount } from './account-view.ts';

export function addAccountShow(account: Command): void {
  addCommand(account, {
    usage: 'show',
    summary: 'Show one account',
    options: [{ flags: '--email <email>', about: "the account's owner", required: true }],
    input: z.object({ email: emailSchema }),
    examples: ['tollgate account show --email you@example.com'],
    run: async ({ email }, { env }) => {
      const found = await withInstallation(env, ({ db }) => getAccount(db, email));
      return { json: accountJson(found), text: accountText(found) };
    },
  });
}
