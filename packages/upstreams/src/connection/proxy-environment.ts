import { parseNoProxy } from './no-proxy.ts';
import { parseProxyUrl } from './proxy-url.ts';

/** The forward proxies of the environment, with their credentials. */
export interface ProxyEnvironment {
  /** For providers at http addresses; null: none. */
  http: string | null;
  https: string | null;
  /** NO_PROXY as set; null: not set. */
  noProxy: string | null;
}

export const NO_PROXIES: ProxyEnvironment = { http: null, https: null, noProxy: null };

/**
 * Reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY. The lower-case variable wins, as for curl; an empty one counts as unset.
 * @returns `problems`: one for each invalid variable, without its value, which may contain a password
 */
export function readProxyEnvironment(source: Readonly<Record<string, string | undefined>>): {
  proxies: ProxyEnvironment;
  problems: string[];
} {
  const problems: string[] = [];
  const find = (upper: string): [name: string, value: string] | null => {
    for (const name of [upper.toLowerCase(), upper]) {
      const value = source[name]?.trim() ?? '';
      if (value !== '') return [name, value];
    }
    return null;
  };
  const proxy = (upper: string): string | null => {
    const found = find(upper);
    if (found === null) return null;
    const parsed = parseProxyUrl(found[1]);
    if (parsed.ok) return parsed.url;
    problems.push(`${found[0]} ${parsed.reason}`);
    return null;
  };
  const proxies = {
    http: proxy('HTTP_PROXY'),
    https: proxy('HTTPS_PROXY'),
    noProxy: find('NO_PROXY')?.[1] ?? null,
  };
  return { proxies, problems };
}

/** The proxy for an origin; null: it is reached directly. */
export function proxyFor(proxies: ProxyEnvironment, origin: string): string | null {
  const { protocol, hostname, port } = new URL(origin);
  const isSecure = protocol === 'https:';
  const proxy = isSecure ? proxies.https : proxies.http;
  if (proxy === null) return null;
  const isDirect = parseNoProxy(proxies.noProxy ?? '');
  return isDirect(hostname, port === '' ? (isSecure ? 443 : 80) : Number(port)) ? null : proxy;
}
