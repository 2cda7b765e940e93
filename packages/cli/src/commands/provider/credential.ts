import type { Sealer } from '@tollgate/auth/seal';
import type { Provider } from '@tollgate/db/queries/providers/providers';
import {
  credentialContext,
  isEmptyCredential,
  type ProviderCredential,
} from '@tollgate/upstreams/credential/credential';
import { headersContext, openCredential as openSealed } from '@tollgate/upstreams/credential/open-credential';
import { readVariable } from '../../env.ts';
import { Failure } from '../../failure.ts';

/** @returns null where there is nothing to seal */
export function sealCredential(
  sealer: () => Sealer,
  providerId: string,
  credential: ProviderCredential,
): Buffer | null {
  if (isEmptyCredential(credential)) return null;
  return sealer().seal(JSON.stringify(credential), credentialContext(providerId));
}

/** @returns what is stored of headers; their values are as secret as a credential */
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
 * The credential of a provider with its headers, from its row or from the variable that the row names.
 * @throws Failure where it cannot be had here
 */
export function openCredential(sealer: () => Sealer, provider: Provider): ProviderCredential {
  const environmentKey = provider.credentialEnv === null ? null : readVariable(provider.credentialEnv);
  if (environmentKey === undefined || environmentKey === '')
    throw new Failure(
      'credential_missing',
      `The key of ${provider.name} is in ${provider.credentialEnv} of the api's environment: set it here too`,
    );
  try {
    return openSealed(provider, (sealed, context) => sealer().open(sealed, context), environmentKey);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'credential_sealed_otherwise',
      `The credential of ${provider.name} does not open: ENCRYPTION_KEY is not the one it was stored with`,
    );
  }
}
