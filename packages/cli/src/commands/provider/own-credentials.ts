import { allowOwnCredentials, listAccountsWithOwn } from '@tollgate/db/queries/accounts/own-credentials';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { iso, moment } from '../../output/format.ts';
import { formatTable } from '../../output/table.ts';
import { getCredentialProvider } from './credential-view.ts';

const COLUMNS = [{ title: 'ACCOUNT' }, { title: 'ID' }, { title: 'USE' }, { title: 'CHANGED' }] as const;

export function addOwnCredentials(provider: Command): void {
  addCommand(provider, {
    usage: 'own-credentials <NAME>',
    summary: 'Allow accounts to attach their own credentials to a provider, and list those accounts',
    positional: ['name'],
    options: [{ flags: '--allow <switch>', about: 'on or off; if off, attached credentials are not used' }],
    input: z.object({
      name: z.string(),
      allow: z.enum(['on', 'off'], { error: 'must be on or off' }).optional(),
    }),
    examples: [
      'tollgate provider own-credentials openai',
      'tollgate provider own-credentials openai --allow on',
    ],
    run: ({ name, allow }, { env }) =>
      withInstallation(env, async ({ db }) => {
        const { id } = await getCredentialProvider(db, name);
        if (allow !== undefined)
          await allowOwnCredentials(db, { id, isAllowed: allow === 'on', actorUserId: null });
        const { allowsOwnCredentials } = await getCredentialProvider(db, name);
        const accounts = await listAccountsWithOwn(db, id);
        const rows = accounts.map(({ account, accountId, mode, changedAt }) => [
          account,
          accountId,
          mode,
          moment(changedAt),
        ]);
        return {
          json: {
            name,
            allowed: allowsOwnCredentials,
            accounts: accounts.map(({ changedAt, ...rest }) => ({ ...rest, changedAt: iso(changedAt) })),
          },
          text: [
            `Accounts may attach their own credentials to ${name}: ${allowsOwnCredentials ? 'yes' : 'no'}`,
            rows.length > 0 ? formatTable(COLUMNS, rows) : 'No account has attached a credential.',
          ].join('\n\n'),
        };
      }),
  });
}
