import type { Provider } from '@tollgate/db/queries/providers/providers';
import { isEmptyCredential, ownCredentialContext } from '@tollgate/upstreams/credential/credential';
import { CREDENTIAL_FORMS, readCredential } from '@tollgate/upstreams/credential/read-credential';
import { findPreset } from '@tollgate/upstreams/presets/presets';
import type { Deps } from '../deps.ts';
import { deny } from '../denial.ts';

/** The gateway requests access tokens there. Another address in an account's credential could be inside the network of the gateway. */
const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';

/** Encrypts a credential for its account and provider. @throws a denial at the field if it is not valid */
export function sealOwnCredential(
  { sealer }: Deps,
  { accountId, provider, text }: { accountId: string; provider: Provider; text: string },
): Buffer {
  const preset = provider.preset === null ? null : findPreset(provider.preset);
  const read = readCredential(preset, { text: text === '' ? null : text, headers: {} });
  if (!read.ok) throw refuse(`${read.reason.charAt(0).toUpperCase()}${read.reason.slice(1)}.`);
  const { credential } = read;
  if (isEmptyCredential(credential)) throw refuse('Enter the credential.');
  if (credential.kind === 'google' && credential.tokenUrl !== GOOGLE_TOKEN_URL)
    throw refuse(`Enter ${CREDENTIAL_FORMS.google} with the token_uri ${GOOGLE_TOKEN_URL}.`);
  return sealer.seal(JSON.stringify(credential), ownCredentialContext(accountId, provider.id));
}

function refuse(message: string): Error {
  return deny('BAD_REQUEST', message, { field: 'credential' });
}
