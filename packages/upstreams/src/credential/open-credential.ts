import { z } from 'zod';
import { credentialContext, NO_CREDENTIAL, parseCredential, type ProviderCredential } from './credential.ts';

/** The sealed values of a provider's row. */
interface SealedProvider {
  id: string;
  credentialSealed: Buffer | null;
  headersSealed: Buffer | null;
}

const headersSchema = z.record(z.string(), z.string());

/** Seal context of a provider's headers. */
export function headersContext(providerId: string): string {
  return `provider headers:${providerId}`;
}

/**
 * Opens a provider's credential and its operator's headers.
 * @param open opens a value sealed for a context; throws if the key differs
 * @param environmentKey an API key from the environment, instead of a stored credential
 * @throws Error if a value cannot be opened
 */
export function openCredential(
  provider: SealedProvider,
  open: (sealed: Buffer, context: string) => string,
  environmentKey: string | null = null,
): ProviderCredential {
  const credential = environmentKey === null ? openStored(provider, open) : getKey(environmentKey);
  const headers = openHeaders(provider, open);
  return { ...credential, headers: { ...credential.headers, ...headers } };
}

/** The headers of a provider, with lower-case names. @throws Error if they cannot be opened */
export function openHeaders(
  { id, headersSealed }: Pick<SealedProvider, 'id' | 'headersSealed'>,
  open: (sealed: Buffer, context: string) => string,
): Record<string, string> {
  if (headersSealed === null) return {};
  return headersSchema.parse(JSON.parse(open(headersSealed, headersContext(id))));
}

function openStored(
  { id, credentialSealed }: SealedProvider,
  open: (sealed: Buffer, context: string) => string,
): ProviderCredential {
  if (credentialSealed === null) return NO_CREDENTIAL;
  return parseCredential(open(credentialSealed, credentialContext(id)));
}

function getKey(apiKey: string): ProviderCredential {
  return { kind: 'api-key', apiKey, headers: {} };
}
