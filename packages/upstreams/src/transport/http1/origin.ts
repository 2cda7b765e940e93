import { isIP } from 'node:net';
import { ProtocolError } from './protocol-error.ts';

/** Where connections of one pool go to. */
export interface Origin {
  isSecure: boolean;
  /** A name or an address, an IPv6 address without brackets. */
  host: string;
  port: number;
  /** What goes into `host`: with the port where it is not the scheme's own. */
  authority: string;
  /** What the certificate must be for; null for an address, which has no name to send (RFC 6066, section 3). */
  serverName: string | null;
}

/** Reads `https://api.openai.com`. @throws ProtocolError where it is no origin of http or https */
export function parseOrigin(text: string): Origin {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new ProtocolError('the address is no http or https origin');
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    isSecure,
    host,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    authority: url.host,
    serverName: isIP(host) === 0 ? host : null,
  };
}
