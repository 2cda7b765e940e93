import { listProviders } from '@tollgate/db/queries/providers/providers';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { formatTable } from '../../output/table.ts';
import {
  connectionText,
  credentialSource,
  hasConnection,
  limitsText,
  providerJson,
} from './provider-view.ts';

const COLUMNS = [
  { title: 'NAME' },
  { title: 'PRESET' },
  { title: 'API FORMAT' },
  { title: 'BASE URL' },
  { title: 'CREDENTIAL' },
  { title: 'CONNECTION' },
  { title: 'LIMITS' },
  { title: 'ROUTES', align: 'right' },
] as const;

export function addProviderList(provider: Command): void {
  addCommand(provider, {
    usage: 'list',
    summary: 'List providers, without credentials',
    input: z.object({}),
    examples: ['tollgate provider list'],
    run: async (_, { env }) => {
      const providers = await withInstallation(env, ({ db }) => listProviders(db));
      const rows = providers.map((each) => [
        each.name,
        each.preset ?? '-',
        each.dialect,
        each.baseUrl ?? 'built in',
        credentialSource(each),
        hasConnection(each) ? connectionText(each) : '-',
        limitsText(each),
        String(each.routes),
      ]);
      return {
        json: { providers: providers.map((each) => ({ ...providerJson(each), routes: each.routes })) },
        text:
          rows.length > 0
            ? formatTable(COLUMNS, rows)
            : 'No providers yet. To add one, see `tollgate provider add --help`.',
      };
    },
  });
}
