import { createId } from '@tollgate/core/runtime/ids';
import { addProviderModels } from '@tollgate/db/queries/providers/provider-models';
import { addProvider } from '@tollgate/db/queries/providers/providers';
import { inTransaction } from '@tollgate/db/transaction';
import { isEmptyCredential } from '@tollgate/upstreams/credential/credential';
import { readCredential } from '@tollgate/upstreams/credential/read-credential';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure, UsageFailure } from '../../failure.ts';
import { withNewInstallation } from '../../installation.ts';
import { baseUrlOption } from '../../options/base-url-option.ts';
import { headerOption } from '../../options/header-option.ts';
import { readSecret } from '../../options/secret-option.ts';
import { settingOption } from '../../options/setting-option.ts';
import { describeAddedModels, getPresetModels } from '../model/preset-models.ts';
import { connectionInput, getConnectionOptions, readConnection } from './connection-options.ts';
import { sealCredential, sealHeaders } from './credential.ts';
import { getLimitOptions, newLimitInput } from './limit-options.ts';
import { planProvider, PROVIDER_DIALECTS } from './plan-provider.ts';
import { providerJson } from './provider-view.ts';

const inputSchema = z.object({
  preset: z.string().optional(),
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,62}$/,
      'must have 1 to 63 lowercase letters, digits, dots, dashes and underscores',
    )
    .optional(),
  dialect: z.enum(PROVIDER_DIALECTS, { error: `must be ${PROVIDER_DIALECTS.join(' or ')}` }).optional(),
  baseUrl: baseUrlOption.optional(),
  setting: settingOption.optional(),
  apiKey: z.string().optional(),
  header: headerOption.optional(),
  ...newLimitInput,
  ...connectionInput,
  withModels: z.boolean().optional(),
});

const OPTIONS = [
  { flags: '--preset <preset>', about: 'a known provider; see `tollgate provider presets`' },
  { flags: '--name <name>', about: 'name of the provider (default: name of the preset)' },
  {
    flags: '--dialect <dialect>',
    about: `API format, required without --preset: ${PROVIDER_DIALECTS.join(' or ')}`,
  },
  {
    flags: '--base-url <url>',
    about: 'base URL, usually ending in /v1; replaces that of the preset and the settings in it',
  },
  {
    flags: '--setting <setting>',
    about: 'a setting of the preset as name=value; repeatable',
    many: true,
  },
  {
    flags: '--api-key <key>',
    about:
      'credential, stored encrypted. Arguments are visible to other users: use - to read stdin, or set PROVIDER_API_KEY',
  },
  {
    flags: '--header <header>',
    about: "header sent with every request, as 'name: value'; stored encrypted; repeatable",
    many: true,
  },
  ...getLimitOptions({ isNew: true }),
  ...getConnectionOptions({ isNew: true }),
  {
    flags: '--with-models',
    about: 'add the catalogue models of the preset, with routes',
  },
];

export function addProviderAdd(provider: Command): void {
  addCommand(provider, {
    usage: 'add',
    summary: 'Add a provider that requests can be routed to',
    options: OPTIONS,
    input: inputSchema,
    examples: [
      'tollgate provider add --preset groq --with-models --api-key - < key.txt',
      'tollgate provider add --preset azure-openai --setting resource=my-resource --api-key - < key.txt',
      'tollgate provider add --preset bedrock-anthropic --setting region=us-east-1 --api-key - < key.txt',
      'tollgate provider add --preset vertex-anthropic --setting project=my-project --setting region=global --api-key - < service-account.json',
      'tollgate provider add --name own --dialect openai-chat --base-url http://127.0.0.1:9000/v1 --max-concurrency 4',
    ],
    run: async (input, { env, clock }) => {
      const { preset, ...plan } = planProvider(input);
      const { apiKey, header, preset: _, setting: __, withModels, proxy, ca, http2, ...tuning } = input;
      if (apiKey === '-' && proxy === '-')
        throw new UsageFailure('--api-key and --proxy cannot both be read from stdin');
      const connection = await readConnection({ proxy, ca, http2 });
      const offered = withModels === true ? getPresetModels(preset?.name ?? null, clock.nowMs()) : null;
      const text = (await readSecret('--api-key', apiKey)) ?? env.PROVIDER_API_KEY ?? null;
      const read = readCredential(preset, { text, headers: header ?? {} });
      if (!read.ok) throw new UsageFailure(`--api-key: ${read.reason}`);
      const id = createId('prov');
      const added = await withNewInstallation(env, ({ db, sealer }) =>
        inTransaction(db, async (tx) => {
          const secrets = {
            credentialSealed: sealCredential(sealer, id, { ...read.credential, headers: {} }),
            ...sealHeaders(sealer, id, read.credential.headers),
            ...connection(sealer, id),
          };
          const settings = { ...tuning, ...plan, ...secrets, id, preset: preset?.name ?? null };
          const provider = await addProvider(tx, settings);
          if (provider === null) return null;
          return { provider, models: offered && (await addProviderModels(tx, id, offered)) };
        }),
      );
      if (added === null)
        throw new Failure(
          'provider_exists',
          `Provider ${plan.name} already exists. Change it with \`tollgate provider update ${plan.name}\`, or choose another --name.`,
        );
      const { provider: made, models } = added;
      return {
        json: { ...providerJson(made), ...(models !== null && { models }) },
        text: [
          `Added provider ${made.name}${isEmptyCredential(read.credential) ? ', without a credential' : ''}.`,
          ...(models === null ? [] : describeAddedModels(models)),
          'Next:',
          `  tollgate provider test ${made.name}`,
          ...(models === null ? [`  tollgate route add --model MODEL --provider ${made.name}`] : []),
        ].join('\n'),
      };
    },
  });
}
