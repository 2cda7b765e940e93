import { isIP } from 'node:net';
import { ProtocolError } from './protocol-error.ts';

/** The target of the connections of one pool. */
export interface Origin {
  isSecure: boolean;
  /** A name or an address; IPv6 without brackets. */
  host: string;
  port: number;
  /** Value of `host`: with the port if it is not the scheme's default. */
  authority: string;
  /** The name in the certificate; null for an IP address, which sends no SNI (RFC 6066, section 3). */
  serverName: string | null;
}

/** Reads `https://api.openai.com`. @throws ProtocolError if it is not an http or https origin */
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
