import { credentialLabelSchema, credentialWeight } from '@tollgate/core/providers/credential-terms';
import { addCredential, MAX_CREDENTIALS } from '@tollgate/db/queries/providers/provider-credentials';
import { isEmptyCredential } from '@tollgate/upstreams/credential/credential';
import { readCredential } from '@tollgate/upstreams/credential/read-credential';
import { findPreset } from '@tollgate/upstreams/presets/presets';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure, UsageFailure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { integerOption } from '../../options/integer-option.ts';
import { readSecret } from '../../options/secret-option.ts';
import { sealCredential } from './credential.ts';
import { credentialJson, getCredentialProvider } from './credential-view.ts';

export function addCredentialAdd(credential: Command): void {
  addCommand(credential, {
    usage: 'add <NAME>',
    summary: 'Add a credential to a provider, which shares its requests with the others',
    positional: ['name'],
    options: [
      { flags: '--label <label>', about: 'label, shown in place of the credential', required: true },
      {
        flags: '--api-key <key>',
        about: 'credential, stored encrypted. Arguments are visible to other users: use - to read stdin',
        required: true,
      },
      { flags: '--weight <weight>', about: 'share among the credentials of the provider (default: 1)' },
    ],
    input: z.object({
      name: z.string(),
      label: credentialLabelSchema,
      apiKey: z.string().min(1),
      weight: integerOption(credentialWeight).optional(),
    }),
    examples: ['tollgate provider credential add openai --label second --api-key - < key.txt'],
    run: ({ name, label, apiKey, weight = 1 }, { env }) =>
      withInstallation(env, async ({ db, sealer }) => {
        const provider = await getCredentialProvider(db, name);
        const preset = provider.preset === null ? null : findPreset(provider.preset);
        const text = (await readSecret('--api-key', apiKey)) ?? '';
        const read = readCredential(preset, { text, headers: {} });
        if (!read.ok) throw new UsageFailure(`--api-key: ${read.reason}`);
        const credentialSealed = sealCredential(sealer, provider.id, read.credential);
        if (credentialSealed === null || isEmptyCredential(read.credential))
          throw new UsageFailure('--api-key: is empty');
        const added = await addCredential(db, {
          providerId: provider.id,
          label,
          weight,
          credentialSealed,
          actorUserId: null,
        });
        if (!added.ok) throw denied(added.reason, { name, label });
        return {
          json: credentialJson(provider, added.credential),
          text: `Added credential ${label} to ${name}. The next requests share it.`,
        };
      }),
  });
}

function denied(
  reason: Exclude<Awaited<ReturnType<typeof addCredential>>, { ok: true }>['reason'],
  { name, label }: { name: string; label: string },
): Failure {
  switch (reason) {
    case 'no_provider':
      return new Failure('provider_not_found', `Provider ${name} does not exist.`);
    case 'no_first':
      return new Failure(
        'no_credential',
        `${name} has no credential yet. Set it with \`tollgate provider update ${name} --api-key -\`.`,
      );
    case 'too_many':
      return new Failure(
        'too_many_credentials',
        `A provider can have at most ${MAX_CREDENTIALS} credentials.`,
      );
    case 'taken':
      return new Failure('credential_exists', `${name} has a credential ${label} already.`);
  }
}
