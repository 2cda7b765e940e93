import type { Sealer } from '@tollgate/auth/seal';
import type { Provider } from '@tollgate/db/queries/providers/providers';
import {
  credentialContext,
  isEmptyCredential,
  type ProviderCredential,
} from '@tollgate/upstreams/credential/credential';
import { headersContext, openCredential as openSealed } from '@tollgate/upstreams/credential/open-credential';
import {
  openConnections,
  type ProviderConnections,
} from '@tollgate/upstreams/connection/provider-connection';
import type { ProxyEnvironment } from '@tollgate/upstreams/connection/proxy-environment';
import { readVariable } from '../../env.ts';
import { Failure } from '../../failure.ts';

/** @returns null if there is nothing to encrypt */
export function sealCredential(
  sealer: () => Sealer,
  providerId: string,
  credential: ProviderCredential,
): Buffer | null {
  if (isEmptyCredential(credential)) return null;
  return sealer().seal(JSON.stringify(credential), credentialContext(providerId));
}

/** Encrypts headers: their values are as secret as a credential. @returns the columns to store */
export function sealHeaders(
  sealer: () => Sealer,
  providerId: string,
  headers: Readonly<Record<string, string>>,
): Pick<Provider, 'headersSealed' | 'headerNames'> {
  const headerNames = Object.keys(headers).toSorted();
  if (headerNames.length === 0) return { headersSealed: null, headerNames };
  return {
    headersSealed: sealer().seal(JSON.stringify(headers), headersContext(providerId)),
    headerNames,
  };
}

/**
 * Reads a provider's credential and headers, from its row or from the variable that the row names.
 * @throws Failure if the variable is not set or the key does not match
 */
export function openCredential(sealer: () => Sealer, provider: Provider): ProviderCredential {
  const environmentKey = provider.credentialEnv === null ? null : readVariable(provider.credentialEnv);
  if (environmentKey === undefined || environmentKey === '')
    throw new Failure(
      'credential_missing',
      `${provider.name} uses the credential in ${provider.credentialEnv} of the API's environment. Set this variable here too.`,
    );
  try {
    return openSealed(provider, (sealed, context) => sealer().open(sealed, context), environmentKey);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'credential_sealed_otherwise',
      `The credential of ${provider.name} cannot be decrypted. Set the ENCRYPTION_KEY it was stored with.`,
    );
  }
}

/** Finds out how a provider is reached. @throws Failure if its proxy cannot be decrypted */
export function openProviderConnections(
  sealer: () => Sealer,
  provider: Provider & { baseUrl: string },
  { credential, proxies }: { credential: ProviderCredential; proxies: ProxyEnvironment },
): ProviderConnections {
  try {
    const open = (sealed: Buffer, context: string) => sealer().open(sealed, context);
    return openConnections(provider, credential, { open, proxies });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'credential_sealed_otherwise',
      `The proxy of ${provider.name} cannot be decrypted. Set the ENCRYPTION_KEY it was stored with.`,
    );
  }
}
