import { changeConnection } from '@tollgate/db/queries/providers/providers';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure, UsageFailure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { CONNECTION_OPTIONS, connectionInput, readConnection } from './connection-options.ts';
import { connectionText, getProvider, providerJson } from './provider-view.ts';

export function addProviderConnection(provider: Command): void {
  addCommand(provider, {
    usage: 'connection <NAME>',
    summary: 'Change how a provider is reached: forward proxy, certificates, HTTP/2',
    positional: ['name'],
    options: CONNECTION_OPTIONS,
    input: z.object({ name: z.string(), ...connectionInput }),
    examples: [
      'tollgate provider connection openai --proxy direct --http2 on',
      'tollgate provider connection openai --proxy - < proxy.txt',
    ],
    run: async ({ name, ...typed }, { env }) => {
      if (Object.values(typed).every((value) => value === undefined))
        throw new UsageFailure('Give --proxy, --ca or --http2');
      const read = await readConnection(typed);
      const changed = await withInstallation(env, async ({ db, sealer }) => {
        const found = await getProvider(db, name);
        if (found.dialect === 'demo')
          throw new Failure('provider_built_in', `${name} is built into the API and has no connection.`);
        await changeConnection(db, { id: found.id, connection: read(sealer, found.id), actorUserId: null });
        return getProvider(db, name);
      });
      return { json: providerJson(changed), text: `${name}: ${connectionText(changed)}` };
    },
  });
}
