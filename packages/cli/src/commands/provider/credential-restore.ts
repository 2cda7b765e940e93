import { restoreCredential } from '@tollgate/db/queries/providers/set-aside-credentials';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { credentialJson, getCredential } from './credential-view.ts';

export function addCredentialRestore(credential: Command): void {
  addCommand(credential, {
    usage: 'restore <NAME> <LABEL>',
    summary: 'Use a credential again that the provider refused',
    positional: ['name', 'label'],
    input: z.object({ name: z.string(), label: z.string() }),
    examples: ['tollgate provider credential restore openai second'],
    run: ({ name, label }, { env }) =>
      withInstallation(env, async ({ db }) => {
        const { id } = (await getCredential(db, { name, label })).credential;
        const isRestored = await restoreCredential(db, { id, actorUserId: null, by: 'operator' });
        const { provider, credential: restored } = await getCredential(db, { name, label });
        return {
          json: credentialJson(provider, restored),
          text: isRestored
            ? `Restored credential ${label} of ${name}. It is used for the next requests.`
            : `Credential ${label} of ${name} is not set aside.`,
        };
      }),
  });
}
