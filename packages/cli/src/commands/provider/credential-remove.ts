import { removeCredential } from '@tollgate/db/queries/providers/provider-credentials';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { getCredential } from './credential-view.ts';

export function addCredentialRemove(credential: Command): void {
  addCommand(credential, {
    usage: 'remove <NAME> <LABEL>',
    summary: 'Remove one of several credentials of a provider',
    positional: ['name', 'label'],
    input: z.object({ name: z.string(), label: z.string() }),
    examples: ['tollgate provider credential remove openai second'],
    run: ({ name, label }, { env }) =>
      withInstallation(env, async ({ db }) => {
        const { provider, credential: found } = await getCredential(db, { name, label });
        if (!(await removeCredential(db, { id: found.id, actorUserId: null })))
          throw new Failure(
            'last_credential',
            `${label} is the only credential of ${name}. Replace it with \`tollgate provider update ${name} --api-key -\`, or add another one first.`,
          );
        const { credentialEnv } = provider;
        const isFromEnvironment = found.id === provider.id && credentialEnv !== null;
        return {
          json: { id: found.id, label },
          text: `Removed credential ${label} of ${name}${isFromEnvironment ? `. The variable ${credentialEnv} is no longer read for it` : ''}.`,
        };
      }),
  });
}
