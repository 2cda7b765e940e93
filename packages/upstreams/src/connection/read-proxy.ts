import { DIRECT, proxyContext, type StoredConnection } from './provider-connection.ts';
import { parseProxyUrl, redactProxyUrl } from './proxy-url.ts';

/** Value of a provider's proxy that means the one of the environment. */
export const ENVIRONMENT = 'environment';

/**
 * Reads a proxy as entered: `environment`, `direct`, or an address, which is encrypted because it may contain a password.
 * @returns the columns to store, or an error message that follows "it"
 */
export function readProxy(
  text: string,
  providerId: string,
  seal: (plain: string, context: string) => Buffer,
): { ok: true; columns: Pick<StoredConnection, 'proxy' | 'proxySealed'> } | { ok: false; reason: string } {
  if (text === ENVIRONMENT) return { ok: true, columns: { proxy: null, proxySealed: null } };
  if (text === DIRECT) return { ok: true, columns: { proxy: DIRECT, proxySealed: null } };
  const parsed = parseProxyUrl(text);
  if (!parsed.ok) return parsed;
  const proxySealed = seal(parsed.url, proxyContext(providerId));
  return { ok: true, columns: { proxy: redactProxyUrl(parsed.url), proxySealed } };
}
