import type { Sealer } from '@tollgate/auth/seal';
import { changeProvider, type Provider } from '@tollgate/db/queries/providers/providers';
import { readCredential } from '@tollgate/upstreams/credential/read-credential';
import { findPreset } from '@tollgate/upstreams/presets/presets';
import { resolveBaseUrl } from '@tollgate/upstreams/presets/resolve-base-url';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure, UsageFailure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { baseUrlOption } from '../../options/base-url-option.ts';
import { headerOption } from '../../options/header-option.ts';
import { readSecret } from '../../options/secret-option.ts';
import { settingOption } from '../../options/setting-option.ts';
import { sealCredential, sealHeaders } from './credential.ts';
import { changedLimitInput, getLimitOptions } from './limit-options.ts';
import { getProvider, providerJson } from './provider-view.ts';

const changeSchema = z.object({
  apiKey: z.string().optional(),
  header: headerOption.optional(),
  baseUrl: baseUrlOption.optional(),
  setting: settingOption.optional(),
  ...changedLimitInput,
});
type Change = z.infer<typeof changeSchema>;

const OPTIONS = [
  {
    flags: '--api-key <key>',
    about: 'new credential, stored encrypted. Arguments are visible to other users: use - to read stdin',
  },
  {
    flags: '--header <header>',
    about: "header sent with every request, as 'name: value'; replaces all stored headers; repeatable",
    many: true,
  },
  { flags: '--base-url <url>', about: 'base URL, usually ending in /v1' },
  { flags: '--setting <setting>', about: 'a setting of the preset as name=value; repeatable', many: true },
  ...getLimitOptions({ isNew: false }),
];

export function addProviderUpdate(provider: Command): void {
  addCommand(provider, {
    usage: 'update <NAME>',
    summary: 'Change the credential, address or limits of a provider; its routes stay',
    positional: ['name'],
    options: OPTIONS,
    input: changeSchema.extend({ name: z.string() }),
    examples: [
      'tollgate provider update openai --api-key - < key.txt',
      'tollgate provider update azure --base-url https://llm.example.com/v1 --total-timeout-ms 900000',
      'tollgate provider update openrouter --max-concurrency default',
    ],
    run: async ({ name, ...typed }, { env }) => {
      if (Object.values(typed).every((value) => value === undefined))
        throw new UsageFailure('Give at least one option to change');
      const changed = await withInstallation(env, async ({ db, sealer }) => {
        const found = await getProvider(db, name);
        if (found.dialect === 'demo')
          throw new Failure('provider_built_in', `${name} is built into the API and cannot be changed.`);
        // Read only once the provider is known: a terminal waits for it.
        const apiKey = await readSecret('--api-key', typed.apiKey);
        const terms = {
          ...mergeLimits(found, typed),
          ...mergeAddress(found, typed),
          ...sealSecrets(sealer, found, { apiKey, header: typed.header }),
        };
        await changeProvider(db, { id: found.id, terms, actorUserId: null });
        return getProvider(db, name);
      });
      return {
        json: providerJson(changed),
        text: `Updated provider ${name}. The change applies to the next request.`,
      };
    },
  });
}

function mergeLimits(found: Provider, typed: Change) {
  const merge = (name: keyof typeof changedLimitInput) =>
    typed[name] === undefined ? found[name] : typed[name];
  return {
    connectTimeoutMs: merge('connectTimeoutMs'),
    firstByteTimeoutMs: merge('firstByteTimeoutMs'),
    idleTimeoutMs: merge('idleTimeoutMs'),
    totalTimeoutMs: merge('totalTimeoutMs'),
    maxConcurrency: merge('maxConcurrency'),
  };
}

/**
 * A new setting changes the address that contains it, unless another address is given. An address that is not that of the
 * preset must be given again: the credential would be sent elsewhere otherwise.
 */
function mergeAddress(found: Provider, { baseUrl, setting }: Change) {
  const { settings } = found;
  if (setting === undefined) return { baseUrl: baseUrl ?? found.baseUrl, settings };
  const preset = found.preset === null ? null : findPreset(found.preset);
  if (preset === null) throw new UsageFailure(`--setting: ${found.name} has no preset`);
  const known = resolveBaseUrl(preset, settings);
  if (baseUrl === undefined && (!known.ok || known.baseUrl !== found.baseUrl))
    throw new UsageFailure(
      `--setting: the address of ${found.name} is not that of its preset. Give --base-url, too: ${found.baseUrl}`,
    );
  const merged = { ...settings, ...setting };
  const resolved = resolveBaseUrl(preset, merged, baseUrl);
  if (!resolved.ok) throw new UsageFailure(`--setting: ${resolved.reason}`);
  return { baseUrl: resolved.baseUrl, settings: merged };
}

function sealSecrets(
  sealer: () => Sealer,
  { id, preset: presetName }: Provider,
  { apiKey, header }: { apiKey: string | undefined; header: Record<string, string> | undefined },
) {
  const headers = header === undefined ? {} : { headers: sealHeaders(sealer, id, header) };
  if (apiKey === undefined) return headers;
  const preset = presetName === null ? null : findPreset(presetName);
  const read = readCredential(preset, { text: apiKey, headers: {} });
  if (!read.ok) throw new UsageFailure(`--api-key: ${read.reason}`);
  return { ...headers, credentialSealed: sealCredential(sealer, id, read.credential) };
}
