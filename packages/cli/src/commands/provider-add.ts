import { createId } from '@tollgate/core/ids';
import { addProvider } from '@tollgate/db/queries/providers';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { withInstallation } from '../installation.ts';
import { baseUrlOption } from '../options/base-url-option.ts';
import { headerOption } from '../options/header-option.ts';
import { readSecret } from '../options/secret-option.ts';
import { sealCredential } from './provider-credential.ts';
import { providerJson } from './provider-view.ts';

const DIALECTS = ['openai-chat', 'anthropic-messages'] as const;

const inputSchema = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'must be 1 to 63 of a-z, 0-9, dot, dash and underscore'),
  dialect: z.enum(DIALECTS, { error: `must be ${DIALECTS.join(' or ')}` }),
  baseUrl: baseUrlOption,
  apiKey: z.string().optional(),
  header: headerOption.optional(),
});

export function addProviderAdd(provider: Command): void {
  addCommand(provider, {
    usage: 'add',
    summary: 'Add a provider that requests can be routed to',
    options: [
      { flags: '--name <name>', about: 'what routes call it', required: true },
      { flags: '--dialect <dialect>', about: `what it speaks: ${DIALECTS.join(' or ')}`, required: true },
      { flags: '--base-url <url>', about: 'its address up to the endpoint', required: true },
      {
        flags: '--api-key <key>',
        about:
          'its key, sealed before it is stored; an argument is visible to every user of this machine, so rather give - to read it from stdin, or set PROVIDER_API_KEY',
      },
      {
        flags: '--header <header>',
        about: "sent with every request: 'name: value'; may be repeated",
        many: true,
      },
    ],
    input: inputSchema,
    examples: [
      'tollgate provider add --name openai --dialect openai-chat --base-url https://api.openai.com/v1 --api-key - < key.txt',
      'tollgate provider add --name anthropic --dialect anthropic-messages --base-url https://api.anthropic.com/v1',
      'tollgate provider add --name local --dialect openai-chat --base-url http://127.0.0.1:11434/v1',
    ],
    run: async (input, { env }) => {
      const apiKey = (await readSecret('--api-key', input.apiKey)) ?? env.PROVIDER_API_KEY ?? null;
      const id = createId('prov');
      const added = await withInstallation(env, ({ db, sealer }) => {
        const credentialSealed = sealCredential(sealer, id, {
          kind: 'api-key',
          apiKey,
          headers: input.header ?? {},
        });
        const { name, dialect, baseUrl } = input;
        return addProvider(db, { id, name, dialect, baseUrl, credentialSealed });
      });
      if (added === null)
        throw new Failure('provider_exists', `There is a provider ${input.name} already: remove it first`);
      return {
        json: providerJson(added),
        text: [
          `Added provider ${added.name}${apiKey === null ? ', without a key' : ''}. Next:`,
          `  tollgate provider test ${added.name}`,
          `  tollgate route add --model MODEL --provider ${added.name}`,
        ].join('\n'),
      };
    },
  });
}
