import { z } from 'zod';

const headers = z.record(z.string(), z.string());

const apiKeySchema = z.object({ kind: z.literal('api-key'), apiKey: z.string().nullable(), headers });

/** Signs requests with Signature Version 4. A session's token ends with the session. */
const awsSchema = z.object({
  kind: z.literal('aws'),
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
  sessionToken: z.string().min(1).nullable(),
  headers,
});

/** A service account's key, which buys access tokens of an hour. */
const googleSchema = z.object({
  kind: z.literal('google'),
  clientEmail: z.string().min(1),
  privateKey: z.string().min(1),
  privateKeyId: z.string().min(1).nullable(),
  tokenUrl: z.url(),
  headers,
});

/** What authenticates the gateway at a provider. `headers` go with every request, their names in lower case. */
export type ProviderCredential = z.infer<typeof credentialSchema>;
export type AwsCredential = z.infer<typeof awsSchema>;
export type GoogleCredential = z.infer<typeof googleSchema>;

/** Credentials sealed before there were kinds are API keys. */
const credentialSchema = z.preprocess(
  (value) => (typeof value === 'object' && value !== null ? { kind: 'api-key', ...value } : value),
  z.discriminatedUnion('kind', [apiKeySchema, awsSchema, googleSchema]),
);

export const NO_CREDENTIAL: ProviderCredential = { kind: 'api-key', apiKey: null, headers: {} };

/**
 * Reads a credential as it was sealed.
 * @throws Error where it is none
 */
export function parseCredential(json: string): ProviderCredential {
  return credentialSchema.parse(JSON.parse(json));
}

/** True where there is nothing to keep. */
export function isEmptyCredential(credential: ProviderCredential): boolean {
  return (
    credential.kind === 'api-key' &&
    credential.apiKey === null &&
    Object.keys(credential.headers).length === 0
  );
}

/** What a provider's credential is sealed for: moved to another provider's row it does not open. */
export function credentialContext(providerId: string): string {
  return `provider:${providerId}`;
}
