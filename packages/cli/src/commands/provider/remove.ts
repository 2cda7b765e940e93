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
    summary: 'Remove a provider, its credential and its routes',
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

/** Explains that the API adds some providers again at startup. */
function returnHint(provider: Provider): string {
  if (provider.dialect === 'demo')
    return '. It is built in and returns at the next start. To prevent that, set DEMO_PROVIDER=off.';
  if (provider.credentialEnv === null) return '';
  return `. It returns at the next start unless you unset ${provider.credentialEnv} for the API.`;
}
