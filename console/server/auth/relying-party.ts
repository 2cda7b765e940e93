import { isIP } from 'node:net';
import { isLoopbackName } from '@tollgate/core/providers/origins';

/** The host name under which browsers store the passkeys of this installation, and the allowed origins. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Passkeys belong to a host name: on a local machine `localhost`; an IP address such as 10.0.0.5 cannot have any.
 * https://www.w3.org/TR/webauthn-3/#relying-party-identifier
 */
export function getRelyingParty(publicConsoleUrl: string): RelyingParty | null {
  const url = new URL(publicConsoleUrl);
  if (isLoopbackName(url.hostname)) {
    url.hostname = 'localhost';
    return { id: 'localhost', origin: url.origin };
  }
  if (url.protocol !== 'https:' || isIP(url.hostname) !== 0 || url.hostname.startsWith('[')) return null;
  return { id: url.hostname, origin: url.origin };
}
