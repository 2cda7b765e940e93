import { z } from 'zod';

const headers = z.record(z.string(), z.string());

const apiKeySchema = z.object({ kind: z.literal('api-key'), apiKey: z.string().nullable(), headers });

/** Signs requests with Signature Version 4. A session token expires with its session. */
const awsSchema = z.object({
  kind: z.literal('aws'),
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
  sessionToken: z.string().min(1).nullable(),
  headers,
});

/** A service account's key, exchanged for one-hour access tokens. */
const googleSchema = z.object({
  kind: z.literal('google'),
  clientEmail: z.string().min(1),
  privateKey: z.string().min(1),
  privateKeyId: z.string().min(1).nullable(),
  tokenUrl: z.url(),
  headers,
});

/** Authenticates the gateway at a provider. `headers` go with every request, with lower-case names. */
export type ProviderCredential = z.infer<typeof credentialSchema>;
export type AwsCredential = z.infer<typeof awsSchema>;
export type GoogleCredential = z.infer<typeof googleSchema>;

/** Credentials sealed without a kind are API keys. */
const credentialSchema = z.preprocess(
  (value) => (typeof value === 'object' && value !== null ? { kind: 'api-key', ...value } : value),
  z.discriminatedUnion('kind', [apiKeySchema, awsSchema, googleSchema]),
);

export const NO_CREDENTIAL: ProviderCredential = { kind: 'api-key', apiKey: null, headers: {} };

/**
 * Parses an opened credential.
 * @throws Error if it is not valid
 */
export function parseCredential(json: string): ProviderCredential {
  return credentialSchema.parse(JSON.parse(json));
}

/** True if the credential is empty. */
export function isEmptyCredential(credential: ProviderCredential): boolean {
  return (
    credential.kind === 'api-key' &&
    credential.apiKey === null &&
    Object.keys(credential.headers).length === 0
  );
}

/** Seal context of a credential of an account: it cannot be opened for another account or provider. */
export function ownCredentialContext(accountId: string, providerId: string): string {
  return `own credential:${accountId}:${providerId}`;
}

/** Seal context of a credential: it cannot be opened in another provider's row. */
export function credentialContext(providerId: string): string {
  return `provider:${providerId}`;
}
