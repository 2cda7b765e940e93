/** Names that resolve only inside a network; a name without a dot is one, too. */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|svc|cluster|consul|arpa|test|docker)$/i;
/** Private, shared, local, for benchmarks, multicast and reserved (https://www.iana.org/assignments/iana-ipv4-special-registry). */
const PRIVATE_IPV4 =
  /^(?:0|10|127|22[4-9]|2[3-5]\d)\.|^169\.254\.|^192\.168\.|^192\.0\.0\.|^198\.1[89]\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const DOTTED = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** All public addresses of IPv6 are in 2000::/3 (https://www.iana.org/assignments/ipv6-address-space). */
const PUBLIC_IPV6 = /^[23][\da-f]{3}:/i;
/** Addresses in there that contain one of IPv4, which may be private: Teredo and 6to4. */
const TUNNEL = /^(?:2001:(?:0{1,4})?:|2002:)/i;

/**
 * True if only a private network reaches a host.
 * @param host as `URL` normalizes it: IPv4 in decimal with dots, IPv6 in brackets or without them
 */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (name.includes(':')) return !PUBLIC_IPV6.test(name) || TUNNEL.test(name);
  if (DOTTED.test(name)) return PRIVATE_IPV4.test(name);
  return !name.includes('.') || PRIVATE_NAME.test(name);
}
