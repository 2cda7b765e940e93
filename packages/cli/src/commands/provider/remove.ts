import { removeProvider, type Provider } from '@tollgate/db/queries/providers/providers';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { counted } from '../../output/format.ts';
import { getProvider } from './provider-view.ts';

export function addProviderRemove(provider: Command): void {
  addCommand(provider, {
    usage: 'remove <NAME>',
    summary: 'Remove a provider, its credential and the routes that lead to it',
    positional: ['name'],
    input: z.object({ name: z.string() }),
    examples: ['tollgate provider remove openai'],
    run: ({ name }, { env }) =>
      withInstallation(env, async ({ db }) => {
        const found = await getProvider(db, name);
        const { removedRoutes } = await removeProvider(db, found);
        return {
          json: { id: found.id, name, removedRoutes },
          text: `Removed provider ${name} and ${counted(removedRoutes, 'route')}${returnHint(found)}`,
        };
      }),
  });
}

/** Some providers appear by themselves. */
function returnHint(provider: Provider): string {
  if (provider.dialect === 'demo')
    return '. It is built in and returns at the next start: DEMO_PROVIDER=off keeps it away';
  if (provider.credentialEnv === null) return '';
  return `. It returns at the next start while ${provider.credentialEnv} is set for the api`;
}
