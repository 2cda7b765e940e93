import type { Dialect } from '@tollgate/core/dialect';
import type { HttpProvider } from './provider.ts';

const ANTHROPIC_VERSION = '2023-06-01';

/** Where a completion of each dialect is asked for, below the provider's base URL. */
const COMPLETION_PATHS: Record<Dialect, string> = {
  'openai-chat': '/chat/completions',
  'anthropic-messages': '/messages',
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

/** The address of a provider's completions in its own dialect. */
export function completionAddress(provider: HttpProvider): ProviderAddress {
  return addressOf(provider, COMPLETION_PATHS[provider.dialect]);
}

/**
 * The headers that every request to a provider carries: its credential in the dialect's own form, then what the
 * operator set, which wins.
 */
export function providerHeaders(provider: HttpProvider): Record<string, string> {
  const { apiKey, headers } = provider.credential;
  const own: Record<string, string> = { 'user-agent': 'tollgate', 'accept-encoding': 'identity' };
  switch (provider.dialect) {
    case 'openai-chat':
      if (apiKey !== null) own['authorization'] = `Bearer ${apiKey}`;
      break;
    case 'anthropic-messages':
      own['anthropic-version'] = ANTHROPIC_VERSION;
      if (apiKey !== null) own['x-api-key'] = apiKey;
      break;
  }
  return { ...own, ...headers };
}
