import type { Dialect } from '@tollgate/core/models/dialect';
import type { HttpProvider } from './provider.ts';

const ANTHROPIC_VERSION = '2023-06-01';

/** Where a completion of each dialect is asked for, below the provider's base URL. */
const COMPLETION_PATHS: Record<Dialect, string> = {
  'openai-chat': '/chat/completions',
  'anthropic-messages': '/messages',
  'openai-responses': '/responses',
};

export interface ProviderAddress {
  /** `https://api.openai.com` */
  origin: string;
  /** `/v1/chat/completions` */
  path: string;
}

/** Splits the address of a provider's endpoint as transports want it. */
export function addressOf(provider: HttpProvider, endpoint: string): ProviderAddress {
  const url = new URL(`${provider.baseUrl}${endpoint}`);
  return { origin: url.origin, path: `${url.pathname}${url.search}` };
}

/** The address of a provider's completions in a dialect that it speaks. */
export function completionAddress(provider: HttpProvider, dialect: Dialect): ProviderAddress {
  return addressOf(provider, COMPLETION_PATHS[dialect]);
}

/**
 * The headers that every request to a provider carries: the dialect's own, an API key, then what the operator set, which
 * wins. Where the credential is no API key, each request is signed when it is sent.
 */
export function providerHeaders(provider: HttpProvider): Record<string, string> {
  const { credential, keyHeader, dialect } = provider;
  const own: Record<string, string> = { 'user-agent': 'tollgate', 'accept-encoding': 'identity' };
  if (dialect === 'anthropic-messages') own['anthropic-version'] = ANTHROPIC_VERSION;
  if (credential.kind === 'api-key' && credential.apiKey !== null)
    own[keyHeader] = keyHeader === 'authorization' ? `Bearer ${credential.apiKey}` : credential.apiKey;
  return { ...own, ...credential.headers };
}
