import type { Dialect } from '@tollgate/core/models/dialect';
import type { HttpProvider } from './provider.ts';

const ANTHROPIC_VERSION = '2023-06-01';

/** Path of each dialect's completion endpoint, below the provider's base URL. */
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

/** Splits the URL of a provider's endpoint into the parts that transports need. */
export function getAddress(provider: HttpProvider, endpoint: string): ProviderAddress {
  const url = new URL(`${provider.baseUrl}${endpoint}`);
  return { origin: url.origin, path: `${url.pathname}${url.search}` };
}

/** The URL of a provider's completion endpoint in one of its dialects. */
export function completionAddress(provider: HttpProvider, dialect: Dialect): ProviderAddress {
  return getAddress(provider, COMPLETION_PATHS[dialect]);
}

/**
 * The headers of every request to a provider: the dialect's own, an API key, then the operator's, which win. If the
 * credential is not an API key, requests are signed when sent.
 */
export function providerHeaders(provider: HttpProvider): Record<string, string> {
  const { credential, keyHeader, dialect } = provider;
  const own: Record<string, string> = { 'user-agent': 'tollgate', 'accept-encoding': 'identity' };
  if (dialect === 'anthropic-messages') own['anthropic-version'] = ANTHROPIC_VERSION;
  if (credential.kind === 'api-key' && credential.apiKey !== null)
    own[keyHeader] = keyHeader === 'authorization' ? `Bearer ${credential.apiKey}` : credential.apiKey;
  return { ...own, ...credential.headers };
}
