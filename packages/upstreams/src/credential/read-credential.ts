import { z } from 'zod';
import type { ProviderPreset } from '../presets/preset.ts';
import type { ProviderCredential } from './credential.ts';

/** `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, then an optional session token; the first two contain no colon. */
const AWS_KEYS = /^([A-Z0-9]{16,128}):([^:\s]+)(?::(\S+))?$/;

/** A service account's key file from Google's console. */
const serviceAccountSchema = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1),
  private_key: z.string().includes('PRIVATE KEY'),
  private_key_id: z.string().min(1).nullish(),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
});

type ReadCredential = { ok: true; credential: ProviderCredential } | { ok: false; reason: string };

/**
 * Parses a credential as entered by an operator: an API key; for Amazon also
 * `ACCESS_KEY_ID:SECRET_ACCESS_KEY[:SESSION_TOKEN]`; for Google the JSON of a service account's key.
 * @param input `text` null: none was given; `headers` go with every request, with lower-case names
 * @returns the error message, without the secret
 */
export function readCredential(
  preset: ProviderPreset | null,
  input: { text: string | null; headers: Readonly<Record<string, string>> },
): ReadCredential {
  const { text } = input;
  const headers = { ...input.headers };
  if (text === null) {
    const isNeeded = preset !== null && preset.credential !== 'none' && Object.keys(headers).length === 0;
    return isNeeded
      ? { ok: false, reason: `${preset.title} needs ${CREDENTIAL_FORMS[preset.credential]}` }
      : { ok: true, credential: { kind: 'api-key', apiKey: null, headers } };
  }
  if (preset?.credential === 'google') return readServiceAccount(text, headers);
  const keys = preset?.credential === 'aws' ? AWS_KEYS.exec(text) : null;
  if (keys === null) return readApiKey(text, headers);
  const [, accessKeyId = '', secretAccessKey = '', sessionToken = null] = keys;
  return { ok: true, credential: { kind: 'aws', accessKeyId, secretAccessKey, sessionToken, headers } };
}

/** Description of what to enter for each kind of credential. */
export const CREDENTIAL_FORMS: Readonly<Record<ProviderPreset['credential'], string>> = {
  'api-key': 'an API key',
  aws: 'a Bedrock API key, or ACCESS_KEY_ID:SECRET_ACCESS_KEY',
  google: "the JSON of a service account's key",
  none: 'no key, or one if the server requires it',
};

function readApiKey(text: string, headers: Record<string, string>): ReadCredential {
  // Visible ASCII: a line break would end the header, and anything else was pasted by mistake.
  if (!/^[\x21-\x7e]+$/.test(text))
    return { ok: false, reason: 'an API key is one word, without blanks or line breaks' };
  return { ok: true, credential: { kind: 'api-key', apiKey: text, headers } };
}

function readServiceAccount(text: string, headers: Record<string, string>): ReadCredential {
  const parsed = serviceAccountSchema.safeParse(parseJson(text));
  if (!parsed.success)
    return { ok: false, reason: `must be ${CREDENTIAL_FORMS.google}: a file with "type": "service_account"` };
  const { client_email, private_key, private_key_id, token_uri } = parsed.data;
  return {
    ok: true,
    credential: {
      kind: 'google',
      clientEmail: client_email,
      privateKey: private_key,
      privateKeyId: private_key_id ?? null,
      tokenUrl: token_uri,
      headers,
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
