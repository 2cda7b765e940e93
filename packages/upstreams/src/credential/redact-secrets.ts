import type { HttpProvider } from '../provider.ts';

/** Shorter values are words such as `v1`, and would take half of a message with them. */
const MIN_SECRET_LENGTH = 6;
const REDACTED = '[redacted]';

/** What identifies or authenticates somebody at a provider, whoever's it is. */
const PATTERNS: readonly RegExp[] = [
  // `authorization: Bearer …`, `"x-api-key": "…"`: a request that was echoed.
  /\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic)\s+)?[^\s"',}]+/gi,
  /\b(?:x-api-key|api-key|x-goog-api-key|openai-(?:organization|project)|cookie)["']?\s*[:=]\s*["']?[^\s"',}]+/gi,
  /\bbearer\s+[\w.~+/*-]{6,}=*/gi,
  /\b(?:sk|gsk|xai|pplx|hf|fw|tgp|nvapi|key)[-_][\w*.-]{6,}/g,
  /\bAIza[\w-]{10,}/g,
  /\bya29\.[\w.-]+/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\barn:aws[\w-]*:[^\s"',}]+/g,
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  // A key of which the provider shows the ends: `in***ey`.
  /[\w-]*\*{3,}[\w-]*/g,
  // Organizations, projects, workspaces and users of the operator at the provider.
  /\b(?:org|proj|wrkspc|workspace|user|team|tenant)[-_](?=\w*[A-Z0-9])[\w-]{6,}/g,
  /\bprojects?\/[\w-]+/g,
];

/** What authenticates the gateway at a provider: its key, its account, and the values of the operator's own headers. */
export function listSecrets({ credential }: HttpProvider): string[] {
  const values = Object.values(credential.headers);
  switch (credential.kind) {
    case 'api-key':
      return credential.apiKey === null ? values : [...values, credential.apiKey];
    case 'aws': {
      const { accessKeyId, secretAccessKey, sessionToken } = credential;
      return [...values, accessKeyId, secretAccessKey, ...(sessionToken === null ? [] : [sessionToken])];
    }
    case 'google': {
      const { clientEmail, privateKey, privateKeyId } = credential;
      return [...values, clientEmail, privateKey, ...(privateKeyId === null ? [] : [privateKeyId])];
    }
  }
}

/**
 * Makes a function that takes credentials and identifiers of the operator's accounts out of a provider's text.
 * @param secrets values to find wherever they occur; those under six characters are ignored
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const known = [
    ...new Set(secrets.flatMap((secret) => [secret, secret.replace(/^(?:bearer|basic)\s+/i, '')])),
  ]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  return (text) => {
    let redacted = text;
    for (const secret of known) redacted = redacted.replaceAll(secret, REDACTED);
    for (const pattern of PATTERNS) redacted = redacted.replace(pattern, REDACTED);
    return redacted;
  };
}
