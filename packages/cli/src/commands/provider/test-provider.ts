import { listRoutes } from '@tollgate/db/queries/catalogue/routes';
import { noteTestPassed, type Provider } from '@tollgate/db/queries/providers/providers';
import type { Connection } from '@tollgate/db/transaction';
import type { ProxyEnvironment } from '@tollgate/upstreams/connection/proxy-environment';
import { createHttpProvider } from '@tollgate/upstreams/create-provider';
import { probeProvider } from '@tollgate/upstreams/probe/probe-provider';
import type { HttpProvider } from '@tollgate/upstreams/provider';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand, type Output } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation, type Installation } from '../../installation.ts';
import { counted } from '../../output/format.ts';
import { openCredential, openProviderConnections } from './credential.ts';
import { getCredential } from './credential-view.ts';
import { getProvider } from './provider-view.ts';

/** A provider and the model of its first route; null: it has no route. */
interface Target {
  provider: HttpProvider;
  routed: string | null;
}

export function addProviderTest(provider: Command): void {
  addCommand(provider, {
    usage: 'test <NAME>',
    summary: 'Send a real request with the stored credential: list the models (free), or call one of them',
    positional: ['name'],
    options: [
      {
        flags: '--model <model>',
        about: 'upstream model ID to call (default: from a route, if the models cannot be listed)',
      },
      { flags: '--credential <label>', about: 'one of several credentials (default: the first one)' },
    ],
    input: z.object({
      name: z.string(),
      model: z.string().min(1).optional(),
      credential: z.string().min(1).optional(),
    }),
    examples: [
      'tollgate provider test openai',
      'tollgate provider test openai --model gpt-5-mini',
      'tollgate provider test openai --credential second',
    ],
    run: async ({ name, model, credential }, { env }) => {
      const target = await withInstallation(env, (installation) =>
        findTarget(installation, { name, label: credential ?? null }, env.proxies),
      );
      if (target !== null) {
        const { output, modelIds } = await test(target, model ?? null);
        await withInstallation(env, ({ db }) =>
          noteTestPassed(db, { id: target.provider.id, at: new Date(), modelIds }),
        );
        return output;
      }
      return {
        json: { name, url: null, status: null, latencyMs: null, models: null, model: null },
        text: `${name} is built into the API and needs no connection`,
      };
    },
  });
}

/** @returns null for the built-in provider */
async function findTarget(
  { db, sealer }: Installation,
  { name, label }: { name: string; label: string | null },
  proxies: ProxyEnvironment,
): Promise<Target | null> {
  const found = label === null ? await getProvider(db, name) : await withCredential(db, { name, label });
  const { dialect, baseUrl } = found;
  if (dialect === 'demo' || baseUrl === null) return null;
  const stored = { ...found, dialect, baseUrl };
  const credential = openCredential(sealer, found);
  const connections = openProviderConnections(sealer, stored, { credential, proxies });
  const provider = createHttpProvider(stored, credential, connections);
  const route = (await listRoutes(db)).find(({ providerName }) => providerName === name);
  return { provider, routed: route === undefined ? null : (route.upstreamModel ?? route.modelId) };
}

/** The provider, with the value of one of its credentials in place of the first one's. */
async function withCredential(db: Connection, named: { name: string; label: string }): Promise<Provider> {
  const { provider, credential } = await getCredential(db, named);
  if (credential.id === provider.id) return provider;
  return { ...provider, credentialSealed: credential.credentialSealed, credentialEnv: null };
}

/** @throws Failure that explains what is wrong */
async function test(
  { provider, routed }: Target,
  asked: string | null,
): Promise<{ output: Output; modelIds: string[] }> {
  const result = await probeProvider(provider, { asked, routed });
  if (!result.ok)
    throw new Failure(
      result.code,
      result.code === 'model_needed'
        ? `${provider.name} cannot list its models. Choose one with --model, or add a route first.`
        : result.message,
    );
  const { ok: _, ...answer } = result;
  const { url, status, latencyMs, models, model } = answer;
  const what = models === null ? `a response from ${model ?? ''}` : counted(models, 'model');
  return {
    output: {
      json: { name: provider.name, url, status, latencyMs, models, model },
      text: `${provider.name} works: ${url} returned ${status} with ${what} in ${latencyMs} ms`,
    },
    modelIds: answer.modelIds,
  };
}
