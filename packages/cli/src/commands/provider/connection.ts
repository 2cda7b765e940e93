import { changeConnection } from '@tollgate/db/queries/providers/providers';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { connectionInput, getConnectionOptions, readConnection } from './connection-options.ts';
import { connectionText, getProvider, providerJson } from './provider-view.ts';

export function addProviderConnection(provider: Command): void {
  addCommand(provider, {
    usage: 'connection <NAME>',
    summary: 'Show or change how a provider is reached: forward proxy, certificates, HTTP/2',
    positional: ['name'],
    options: getConnectionOptions({ isNew: false }),
    input: z.object({ name: z.string(), ...connectionInput }),
    examples: [
      'tollgate provider connection openai',
      'tollgate provider connection openai --proxy direct --http2 on',
      'tollgate provider connection openai --proxy - < proxy.txt',
    ],
    run: async ({ name, ...typed }, { env }) => {
      const isChange = Object.values(typed).some((value) => value !== undefined);
      const read = await readConnection(typed);
      const shown = await withInstallation(env, async ({ db, sealer }) => {
        const found = await getProvider(db, name);
        if (found.dialect === 'demo')
          throw new Failure('provider_built_in', `${name} is built into the API and has no connection.`);
        if (!isChange) return found;
        await changeConnection(db, { id: found.id, connection: read(sealer, found.id), actorUserId: null });
        return getProvider(db, name);
      });
      return { json: providerJson(shown), text: `${name}: ${connectionText(shown)}` };
    },
  });
}
