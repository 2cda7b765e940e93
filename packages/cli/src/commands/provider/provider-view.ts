import type { Connection } from '@tollgate/db/transaction';
import { findProviderByName, type Provider } from '@tollgate/db/queries/providers/providers';
import { Failure } from '../../failure.ts';
import { iso } from '../../output/format.ts';

/** @throws Failure where no provider has the name */
export async function getProvider(db: Connection, name: string): Promise<Provider> {
  const provider = await findProviderByName(db, name);
  if (provider !== null) return provider;
  throw new Failure(
    'provider_not_found',
    `There is no provider ${name}: \`tollgate provider list\` shows all`,
  );
}

/** The credential itself is never shown. */
export function providerJson(provider: Provider) {
  return {
    id: provider.id,
    name: provider.name,
    dialect: provider.dialect,
    preset: provider.preset,
    baseUrl: provider.baseUrl,
    settings: provider.settings,
    timeouts: {
      connectMs: provider.connectTimeoutMs,
      firstByteMs: provider.firstByteTimeoutMs,
      idleMs: provider.idleTimeoutMs,
      totalMs: provider.totalTimeoutMs,
    },
    maxConcurrency: provider.maxConcurrency,
    credential: credentialSource(provider),
    headers: provider.headerNames,
    allowedMembers: provider.allowedMembers,
    createdAt: iso(provider.createdAt),
  };
}

/** `stored`, `none`, or the variable of the api that holds it: `env:OPENAI_API_KEY`. */
export function credentialSource(provider: Provider): string {
  if (provider.credentialEnv !== null) return `env:${provider.credentialEnv}`;
  return provider.credentialSealed === null ? 'none' : 'stored';
}

/** What an operator set: `connect 5000 ms, total 60000 ms, 8 at once`; `-` where all is left to its default. */
export function limitsText(provider: Provider): string {
  const timeouts = [
    ['connect', provider.connectTimeoutMs],
    ['first byte', provider.firstByteTimeoutMs],
    ['idle', provider.idleTimeoutMs],
    ['total', provider.totalTimeoutMs],
  ] as const;
  const parts = timeouts.flatMap(([name, timeoutMs]) =>
    timeoutMs === null ? [] : [`${name} ${timeoutMs} ms`],
  );
  if (provider.maxConcurrency !== null) parts.push(`${provider.maxConcurrency} at once`);
  return parts.length === 0 ? '-' : parts.join(', ');
}
