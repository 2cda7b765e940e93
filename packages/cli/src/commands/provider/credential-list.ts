import { listCredentials } from '@tollgate/db/queries/providers/provider-credentials';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { formatTable } from '../../output/table.ts';
import { credentialJson, getCredentialProvider, stateText } from './credential-view.ts';

const COLUMNS = [
  { title: 'LABEL' },
  { title: 'WEIGHT', align: 'right' },
  { title: 'CREDENTIAL' },
  { title: 'STATE' },
] as const;

export function addCredentialList(credential: Command): void {
  addCommand(credential, {
    usage: 'list <NAME>',
    summary: 'List the credentials of a provider, without their values',
    positional: ['name'],
    input: z.object({ name: z.string() }),
    examples: ['tollgate provider credential list openai'],
    run: ({ name }, { env }) =>
      withInstallation(env, async ({ db }) => {
        const provider = await getCredentialProvider(db, name);
        const rows = await listCredentials(db, provider.id);
        const credentials = rows.map((row) => credentialJson(provider, row));
        const cells = rows.map((row, at) => [
          row.label,
          String(row.weight),
          credentials[at]?.credential ?? '',
          stateText(row),
        ]);
        return { json: { credentials }, text: formatTable(COLUMNS, cells) };
      }),
  });
}
