import { isPrivateHost } from '@tollgate/core/runtime/private-host';

/** Slashes may be escaped for JSON. */
const URL_PATTERN = /\b[a-z][a-z0-9+.-]{1,15}:(?:\\{0,8}\/){2}[^\s"'<>`|{}]+/gi;

/** Addresses without a scheme: `10.0.0.7:8000`, `[fd00::1]:443`, `vllm.svc.cluster.local`, `localhost:11434`. */
const BARE_ADDRESSES: readonly RegExp[] = [
  /(?<![\w.])(?:10|127)(?:\.\d{1,3}){3}(?::\d+)?(?![\w.]*\d)/g,
  /(?<![\w.])(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(?:\.\d{1,3}){2}(?::\d+)?/g,
  /\[?\b(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):[0-9a-f:]{2,}\]?(?::\d+)?/gi,
  /\[::1?\](?::\d+)?/g,
  /(?<![\w.-])(?:[\w-]+\.)+(?:localdomain|local|internal|intranet|corp|lan|svc)(?::\d+)?(?![\w-])/gi,
  /(?<![\w.-])localhost:\d+/gi,
];

/** URL parameters that authenticate: of Google, Azure, AWS signatures and others. */
const SECRET_PARAMETERS =
  /((?:[?&;]|%3f|%26|\\u0026)(?:[\w.-]*key|[\w.-]*token|sig|signature|code|secret|password|auth|x-amz-[\w-]+)(?:=|%3d))[^&\s"'<>\\]+/gi;

const REDACTED = '[redacted]';

/**
 * Removes addresses that show the operator's network from a provider's text: private and internal ones, and the configured
 * hosts of providers.
 * @param hosts of the providers, with the port if it is not the scheme's default
 */
export function redactAddresses(text: string, hosts: ReadonlySet<string>): string {
  let redacted = text.replace(URL_PATTERN, (url) => (isInternal(url, hosts) ? REDACTED : url));
  for (const pattern of BARE_ADDRESSES) redacted = redacted.replace(pattern, REDACTED);
  for (const host of hosts)
    // A host name without a dot may be an ordinary word.
    if (/[.:]/.test(host)) redacted = redacted.replaceAll(new RegExp(bareHost(host), 'gi'), REDACTED);
  return redacted.replace(SECRET_PARAMETERS, `$1${REDACTED}`);
}

function bareHost(host: string): string {
  return String.raw`(?<![\w.-])${host.replaceAll(/[.[\]]/g, String.raw`\$&`)}(?::\d+)?(?:\\{0,8}/[^\s"'<>]*)?(?![\w-])`;
}

function isInternal(url: string, hosts: ReadonlySet<string>): boolean {
  const parsed = URL.parse(url.replaceAll('\\', '').replace(/^[a-z][a-z0-9+.-]*:/i, 'http:'));
  if (parsed === null) return true;
  const { hostname, host, username, password } = parsed;
  if (username !== '' || password !== '') return true;
  if (hosts.has(host) || hosts.has(hostname)) return true;
  return isPrivateHost(hostname);
}
