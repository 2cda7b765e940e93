import type { ProviderCredential } from '../credential/credential.ts';
import { DEFAULT_TIMEOUTS } from '../transport/transport.ts';
import { proxyFor, type ProxyEnvironment } from './proxy-environment.ts';

/** Value of a provider's proxy that means none, whatever the environment says. */
export const DIRECT = 'direct';

/** How a provider is reached, if not directly over HTTP/1.1 with the certificates of Node. */
export interface ProviderConnection {
  /** With its credential; null: a direct connection. */
  proxy: string | null;
  /** PEM; null: only the certificates of Node. */
  ca: string | null;
  http2: boolean;
  connectMs: number;
}

/** null: our own client can reach it. */
export interface ProviderConnections {
  provider: ProviderConnection | null;
  /** The token endpoint of a credential, if it has one. */
  tokens: ProviderConnection | null;
}

export const OWN_CLIENT: ProviderConnections = { provider: null, tokens: null };

/** The stored columns of a provider's connection. */
export interface StoredConnection {
  id: string;
  baseUrl: string;
  /** `direct`, a redacted address, or null for the environment's proxy. */
  proxy: string | null;
  proxySealed: Buffer | null;
  caCertificates: string | null;
  http2: boolean;
  connectTimeoutMs: number | null;
}

/** Seal context of a provider's proxy: it cannot be opened in another provider's row. */
export function proxyContext(providerId: string): string {
  return `provider proxy:${providerId}`;
}

/**
 * Opens a provider's proxy and finds out how it is reached.
 * @throws Error if the proxy cannot be opened
 */
export function openConnections(
  stored: StoredConnection,
  credential: ProviderCredential,
  { open, proxies }: { open: (sealed: Buffer, context: string) => string; proxies: ProxyEnvironment },
): ProviderConnections {
  const own = stored.proxySealed === null ? null : open(stored.proxySealed, proxyContext(stored.id));
  const connect = (origin: string): ProviderConnection | null => {
    const proxy = own ?? (stored.proxy === DIRECT ? null : proxyFor(proxies, origin));
    const { caCertificates: ca, http2, connectTimeoutMs } = stored;
    if (proxy === null && ca === null && !http2) return null;
    return { proxy, ca, http2, connectMs: connectTimeoutMs ?? DEFAULT_TIMEOUTS.connectMs };
  };
  return {
    provider: connect(stored.baseUrl),
    tokens: credential.kind === 'google' ? connect(credential.tokenUrl) : null,
  };
}
