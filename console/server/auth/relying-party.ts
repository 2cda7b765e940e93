import { isIP } from 'node:net';
import { isLoopbackName } from '@tollgate/core/providers/origins';

/** Under which name browsers keep the passkeys of this installation, and where they may be used. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Passkeys belong to a host name: on one's own machine that is `localhost`, under an address such as 10.0.0.5 there
 * are none. https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export function relyingPartyOf(publicConsoleUrl: string): RelyingParty | null {
  const url = new URL(publicConsoleUrl);
  if (isLoopbackName(url.hostname)) {
    url.hostname = 'localhost';
    return { id: 'localhost', origin: url.origin };
  }
  if (url.protocol !== 'https:' || isIP(url.hostname) !== 0 || url.hostname.startsWith('[')) return null;
  return { id: url.hostname, origin: url.origin };
}
