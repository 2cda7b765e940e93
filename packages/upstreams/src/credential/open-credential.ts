import { z } from 'zod';
import { credentialContext, NO_CREDENTIAL, parseCredential, type ProviderCredential } from './credential.ts';

/** What a provider's row keeps sealed. */
interface SealedProvider {
  id: string;
  credentialSealed: Buffer | null;
  headersSealed: Buffer | null;
}

const headersSchema = z.record(z.string(), z.string());

/** What a provider's headers are sealed for. */
export function headersContext(providerId: string): string {
  return `provider headers:${providerId}`;
}

/**
 * What goes with every request to a provider: its credential, and the headers that its operator wants.
 * @param open opens what was sealed for a context; it throws where the key is another one
 * @param environmentKey an API key of the environment's, in place of a stored credential
 * @throws Error where something does not open
 */
export function openCredential(
  provider: SealedProvider,
  open: (sealed: Buffer, context: string) => string,
  environmentKey: string | null = null,
): ProviderCredential {
  const credential = environmentKey === null ? openStored(provider, open) : keyOf(environmentKey);
  const headers = openHeaders(provider, open);
  return { ...credential, headers: { ...credential.headers, ...headers } };
}

/** The headers of a provider, by their names in lower case. @throws Error where they do not open */
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

function keyOf(apiKey: string): ProviderCredential {
  return { kind: 'api-key', apiKey, headers: {} };
}
