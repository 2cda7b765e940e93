import type { HttpProvider } from '../provider.ts';
import { redactAccountNames } from './redact-account-names.ts';
import { redactAddresses } from './redact-addresses.ts';
import { getPattern } from './secret-forms.ts';

/** Shorter values are words such as `v1`, whose removal would damage the message. */
const MIN_SECRET_LENGTH = 6;
/** Maximum length of a redacted text. */
const MAX_TEXT_LENGTH = 8_000;
/** Maximum length of an escaped character of a secret: `\\u0041`. */
const ESCAPED_LENGTH = 8;
const TOKEN_CHARACTER = /[\w.~+/=@-]/;
const REDACTED = '[redacted]';

/** Separator between the name of a header or member and its value, also if the quotes are escaped. */
const IS = String.raw`(?:\\{0,8}["'])?\s*(?:[:=]|%3a|%3d)\s*(?:\\{0,8}["'])?`;
/** A value, up to the next separator. */
const VALUE = String.raw`[^\s"',}\\]+`;
const SPACE = String.raw`(?:\s|%20|\+)+`;

/** Headers and members that authenticate the operator or name an account of the operator. */
const SECRET_NAMES = [
  '(?:x-)?(?:goog-|ms-|functions-)?api[-_]?key',
  'ocp-apim-subscription-key',
  'x-amz-security-token',
  'x-goog-user-project',
  '(?:anthropic|openai)-(?:organization|project|workspace)(?:-id)?',
  '(?:organi[sz]ation|org|workspace|account|project|tenant|team|subscription|billing[-_]account)[-_ ]?(?:id|uuid|number)',
  'consumer',
  '(?:set-)?cookie',
].join('|');

/** Beginnings of the keys of providers and of the platforms that they run on. */
const KEY_PREFIXES = [
  'r8_',
  'csk-',
  'dapi',
  'ABSK',
  'bedrock-api-key-',
  'rpa_',
  'cpk_',
  'flp_',
  'vck_',
  'tvly-',
  'jina_',
  'lsv2_',
  'esecret_',
  'dop_v1_',
  'gh[opsu]_',
  'github_pat_',
  'glpat-',
].join('|');

/**
 * Identifiers and credentials of an account at a provider. Providers repeat what callers wrote, so the time of each
 * pattern must be linear in the length of the text: a match starts only at the beginning of a run.
 */
const PATTERNS: readonly RegExp[] = [
  // `authorization: Bearer …`, `"x-api-key": "…"`: an echoed request.
  new RegExp(String.raw`\b(?:proxy-)?authorization${IS}(?:(?:bearer|basic)${SPACE})?${VALUE}`, 'gi'),
  new RegExp(String.raw`\b(?:${SECRET_NAMES})${IS}${VALUE}`, 'gi'),
  new RegExp(String.raw`\bbearer${SPACE}[\w.~+/*-]{6,}=*`, 'gi'),
  /\b[Bb]asic\s+(?=[A-Za-z0-9+/]*[A-Z0-9])[A-Za-z0-9+/]{12,}={0,2}/g,
  /\b(?:sk|gsk|xai|pplx|hf|fw|tgp|nvapi|key)[-_][\w*.…•-]{6,}/g,
  /\bAIza[\w-]{10,}/g,
  /\bya29\.[\w.-]+/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  // Prefixes that are shorter or more like words than those above: only if a key follows.
  new RegExp(String.raw`\b(?:${KEY_PREFIXES})[\w-]{16,}`, 'g'),
  /\barn:aws[\w-]*:[^\s"',}]+/g,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  // A key masked by the provider: `in***ey`.
  /(?<![\w-])[\w-]*(?:\*{3,}|•{3,})[\w-]*/g,
  // Organizations, projects, workspaces and users of the operator at the provider.
  /\b(?:org|proj|wrkspc|workspace|user|team|tenant|acct|acc)[-_](?=\w*[A-Z0-9])[\w-]{6,}/g,
  /\bprojects?\\{0,8}\/[\w.-]+/g,
  /\b(?:organizations?|subscriptions|tenants|accounts|workspaces|resourceGroups)\\{0,8}\/(?=[\w.-]*[A-Z0-9])[\w.-]+/g,
  // Numbers of AWS have 12 digits, sometimes in groups.
  /\b(?:\d{12,}|\d{4}-\d{4}-\d{4})\b(?<=\baccounts?(?:[ _-]?(?:id|number|no))?[^\w\n]{1,4}[\d-]{12,64})/gi,
  // Email addresses and service accounts.
  /(?<![\w.+-])[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/gi,
  // Organizations of Anthropic and subscriptions of Azure are UUIDs; UUIDs of the caller's objects are kept. The object is
  // looked for behind a UUID: in front of every character that takes a hundred times as long.
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b(?<!\b(?:request|req|trace|tool|call|message|file|batch|response|thread|item|conversation|document|container)s?(?:[ _-]?(?:use|call))?(?:[ _-]?id)?\W{0,5}[0-9a-f-]{36})/gi,
];

/** All secrets of a provider: its key, its account, and the values of the operator's headers. */
export function listSecrets({
  credential,
  connections,
  settings,
  baseUrl,
}: Pick<HttpProvider, 'credential' | 'connections' | 'settings' | 'baseUrl'>): string[] {
  const values = [
    ...Object.values(credential.headers),
    ...accountSettings(settings),
    ...secretsIn(baseUrl),
    ...proxySecrets(connections.provider?.proxy ?? null),
  ];
  switch (credential.kind) {
    case 'api-key':
      return credential.apiKey === null ? values : [...values, credential.apiKey];
    case 'aws': {
      const { accessKeyId, secretAccessKey, sessionToken } = credential;
      return [...values, accessKeyId, secretAccessKey, ...(sessionToken === null ? [] : [sessionToken])];
    }
    case 'google': {
      const { clientEmail, privateKey, privateKeyId } = credential;
      return [
        ...values,
        clientEmail,
        ...getLines(privateKey),
        ...(privateKeyId === null ? [] : [privateKeyId]),
      ];
    }
  }
}

/** The user name and the password of a forward proxy, as entered and as sent, and its address. */
function proxySecrets(proxy: string | null): string[] {
  if (proxy === null) return [];
  const { username, password, host } = new URL(proxy);
  const user = decodeURIComponent(username);
  const secret = decodeURIComponent(password);
  const sent = Buffer.from(`${user}:${secret}`).toString('base64');
  return [host, ...(username === '' && password === '' ? [] : [user, secret, sent])].filter(
    (value) => value !== '',
  );
}

/** Settings that name the operator's account; the others are regions. */
function accountSettings(settings: HttpProvider['settings']): string[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    /^(?:project|resource|account)/.test(name) ? [value] : [],
  );
}

/** A base URL may hold a key in its query, or a user and a password. */
function secretsIn(baseUrl: string): string[] {
  const url = URL.parse(baseUrl);
  return url === null ? [] : [...url.searchParams.values(), url.username, url.password];
}

/** Each line of a private key is a separate secret. */
function getLines(privateKey: string): string[] {
  return privateKey.split(/\s*\n\s*/).filter((line) => line.length >= 16 && !line.startsWith('-----'));
}

/** The host of a provider, for `createRedactor`. */
export function getHost({ baseUrl }: HttpProvider): string {
  return URL.parse(baseUrl)?.host ?? baseUrl;
}

/**
 * Creates a function that removes credentials, identifiers of the operator's accounts, and addresses of the operator's
 * network from a provider's text, and cuts it to 8,000 characters.
 * @param secrets values to find anywhere, in any encoding; values under six characters are ignored
 * @param hosts of the providers
 */
export function createRedactor(
  secrets: readonly string[],
  hosts: readonly string[] = [],
): (text: string) => string {
  const known = [
    ...new Set(secrets.flatMap((secret) => [secret, secret.replace(/^(?:bearer|basic)\s+/i, '')])),
  ]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  const patterns = [...known.map(getPattern), ...PATTERNS];
  const hostSet = new Set(hosts);
  // A secret divided by the cut is not found, so its possible beginning is removed.
  const tail = ESCAPED_LENGTH * (known[0]?.length ?? MIN_SECRET_LENGTH);
  return (text) => {
    const isCut = text.length > MAX_TEXT_LENGTH;
    const begun = isCut ? text.slice(0, MAX_TEXT_LENGTH + tail) : text;
    const end = isCut ? startOfLastToken(begun) : begun.length;
    let redacted = redactAddresses(begun.slice(0, end), hostSet);
    for (const pattern of patterns) redacted = redacted.replace(pattern, REDACTED);
    redacted = redactAccountNames(redacted);
    if (!isCut) return redacted;
    const left = Math.max(0, tail - (begun.length - end));
    return `${redacted.slice(0, Math.max(0, redacted.length - left))}…`;
  };
}

/** Offset of the possible token, of any length, that the end of the text divides. */
function startOfLastToken(text: string): number {
  let at = text.length;
  while (at > 0 && TOKEN_CHARACTER.test(text.charAt(at - 1))) at -= 1;
  return at;
}
