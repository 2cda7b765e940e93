import type { Sealer } from '@tollgate/auth/seal';
import type { Provider } from '@tollgate/db/queries/providers';
import {
  credentialContext,
  isEmptyCredential,
  NO_CREDENTIAL,
  parseCredential,
  type ProviderCredential,
} from '@tollgate/upstreams/credential/credential';
import { readVariable } from '../env.ts';
import { Failure } from '../failure.ts';

/** @returns null where there is nothing to seal */
export function sealCredential(
  sealer: () => Sealer,
  providerId: string,
  credential: ProviderCredential,
): Buffer | null {
  if (isEmptyCredential(credential)) return null;
  return sealer().seal(JSON.stringify(credential), credentialContext(providerId));
}

/**
 * The credential of a provider, from its row or from the variable that the row names.
 * @throws Failure where it cannot be had here
 */
export function openCredential(sealer: () => Sealer, provider: Provider): ProviderCredential {
  if (provider.credentialEnv !== null) {
    const apiKey = readVariable(provider.credentialEnv);
    if (apiKey !== undefined && apiKey !== '') return { kind: 'api-key', apiKey, headers: {} };
    throw new Failure(
      'credential_missing',
      `The key of ${provider.name} is in ${provider.credentialEnv} of the api's environment: set it here too`,
    );
  }
  if (provider.credentialSealed === null) return NO_CREDENTIAL;
  let opened: string;
  try {
    opened = sealer().open(provider.credentialSealed, credentialContext(provider.id));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'credential_sealed_otherwise',
      `The credential of ${provider.name} does not open: ENCRYPTION_KEY is not the one it was stored with`,
    );
  }
  return parseCredential(opened);
}
