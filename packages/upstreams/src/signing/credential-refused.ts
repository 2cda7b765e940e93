/** The provider refuses the gateway's credential, so a retry cannot succeed. The message contains no secret. */
export class CredentialRefused extends Error {
  override name = 'CredentialRefused';
}
