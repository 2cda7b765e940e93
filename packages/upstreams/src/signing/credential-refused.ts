/** The provider's side will not take the gateway's credential: trying again is no use. The message carries no secret. */
export class CredentialRefused extends Error {
  override name = 'CredentialRefused';
}
