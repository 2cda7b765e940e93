import { isIP } from 'node:net';
import type { Context } from 'hono';
import type { AppEnv } from './app-env.ts';

/**
 * The address by which attempts are counted. Behind `trustedHops` proxies it is the address that the outermost proxy
 * added to X-Forwarded-For, counted from the right: clients can forge everything further left.
 * @returns an IPv4 address, or the /64 of an IPv6 address, because a connection gets a whole /64; '' if unknown
 */
export function readClientIp(c: Context<AppEnv>, trustedHops: number): string {
  const peer = getPeerAddress(c);
  if (trustedHops === 0) return getNetwork(peer);
  const forwarded = (c.req.header('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  const address = forwarded.at(-trustedHops) ?? '';
  return getNetwork(isIP(address) === 0 ? peer : address);
}

function getPeerAddress(c: Context<AppEnv>): string {
  // Undefined if a test calls the app without a socket.
  const { incoming } = c.env ?? {};
  return incoming?.socket.remoteAddress ?? '';
}

/** `::ffff:10.0.0.1` is how a socket for both families shows an IPv4 peer. */
function stripMapping(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

function getNetwork(peer: string): string {
  const address = stripMapping(peer);
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  const groups = [...front, ...zeros, ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
