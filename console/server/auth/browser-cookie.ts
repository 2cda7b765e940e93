import type { ConsoleSettings } from '../deps.ts';

interface BrowserCookie {
  /** Without a prefix: `tollgate_device`. */
  name: string;
  value: string;
  maxAgeSeconds: number;
}

/**
 * The name of a cookie. On https it has the prefix `__Host-`, which no other host of the domain can set or overwrite:
 * https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
 */
export function getCookieName(settings: Pick<ConsoleSettings, 'publicConsoleUrl'>, name: string): string {
  return settings.publicConsoleUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** The `Set-Cookie` value of a cookie that scripts cannot read. */
export function writeCookie(
  settings: Pick<ConsoleSettings, 'publicConsoleUrl'>,
  { name, value, maxAgeSeconds }: BrowserCookie,
): string {
  const secure = settings.publicConsoleUrl.startsWith('https:') ? '; Secure' : '';
  const pair = `${getCookieName(settings, name)}=${value}`;
  return `${pair}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
