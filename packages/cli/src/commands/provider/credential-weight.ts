import { credentialWeight } from '@tollgate/core/providers/credential-terms';
import { changeCredentialWeight } from '@tollgate/db/queries/providers/provider-credentials';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { withInstallation } from '../../installation.ts';
import { integerOption } from '../../options/integer-option.ts';
import { credentialJson, getCredential } from './credential-view.ts';

export function addCredentialWeight(credential: Command): void {
  addCommand(credential, {
    usage: 'weight <NAME> <LABEL>',
    summary: 'Change the share of a credential among those of its provider',
    positional: ['name', 'label'],
    options: [{ flags: '--weight <weight>', about: 'the new weight', required: true }],
    input: z.object({ name: z.string(), label: z.string(), weight: integerOption(credentialWeight) }),
    examples: ['tollgate provider credential weight openai first --weight 3'],
    run: ({ name, label, weight }, { env }) =>
      withInstallation(env, async ({ db }) => {
        const { id } = (await getCredential(db, { name, label })).credential;
        await changeCredentialWeight(db, { id, weight, actorUserId: null });
        const { provider, credential: changed } = await getCredential(db, { name, label });
        return {
          json: credentialJson(provider, changed),
          text: `Credential ${label} of ${name} has the weight ${weight}. Some sessions change their credential.`,
        };
      }),
  });
}
