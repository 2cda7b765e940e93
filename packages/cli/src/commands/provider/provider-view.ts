import type { Connection } from '@tollgate/db/transaction';
import { findProviderByName, type Provider } from '@tollgate/db/queries/providers/providers';
import { ENVIRONMENT } from '@tollgate/upstreams/connection/read-proxy';
import { Failure } from '../../failure.ts';
import { iso } from '../../output/format.ts';

/** @throws Failure if no provider has the name */
export async function getProvider(db: Connection, name: string): Promise<Provider> {
  const provider = await findProviderByName(db, name);
  if (provider !== null) return provider;
  throw new Failure(
    'provider_not_found',
    `Provider ${name} does not exist. List providers with \`tollgate provider list\`.`,
  );
}

/** Never includes the credential itself. */
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
    proxy: provider.proxy ?? ENVIRONMENT,
    caCertificates: provider.caCertificates,
    http2: provider.http2,
    credential: credentialSource(provider),
    headers: provider.headerNames,
    allowedMembers: provider.allowedMembers,
    createdAt: iso(provider.createdAt),
  };
}

/** `stored`, `none`, or the API's variable with the credential: `env:OPENAI_API_KEY`. */
export function credentialSource(provider: Provider): string {
  if (provider.credentialEnv !== null) return `env:${provider.credentialEnv}`;
  return provider.credentialSealed === null ? 'none' : 'stored';
}

/** Limits that an operator set: `connect 5000 ms, total 60000 ms, 8 concurrent`; `-` if all are defaults. */
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
  if (provider.maxConcurrency !== null) parts.push(`${provider.maxConcurrency} concurrent`);
  return parts.length === 0 ? '-' : parts.join(', ');
}

/** True if an operator set how the provider is reached. */
export function hasConnection({ proxy, caCertificates, http2 }: Provider): boolean {
  return proxy !== null || caCertificates !== null || http2;
}

/** How a provider is reached: `proxy http://***@proxy.example:3128, CA certificates, HTTP/2`. */
export function connectionText({ proxy, caCertificates, http2 }: Provider): string {
  const parts = [
    proxy === null ? 'proxy of the environment' : proxy === 'direct' ? 'no proxy' : `proxy ${proxy}`,
  ];
  if (caCertificates !== null) parts.push('CA certificates');
  if (http2) parts.push('HTTP/2');
  return parts.join(', ');
}
