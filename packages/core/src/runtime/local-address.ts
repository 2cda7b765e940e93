import { z } from 'zod';

/** Maps a listen host to the host to connect to: `0.0.0.0` is `127.0.0.1`, `::` is `[::1]`. */
function connectHost(listenHost: string): string {
  if (listenHost === '0.0.0.0') return '127.0.0.1';
  if (listenHost === '::') return '[::1]';
  return listenHost.includes(':') ? `[${listenHost}]` : listenHost;
}

/** True for a host name or an IP address, of which `localUrl` makes a valid URL. */
function isListenHost(text: string): boolean {
  const url = URL.parse(localUrl(text, 1));
  return url !== null && url.username === '' && url.pathname === '/' && url.search === '' && url.hash === '';
}

/** URL of a service on this machine, without a trailing slash: `http://127.0.0.1:3000`. */
export function localUrl(listenHost: string, port: number): string {
  return `http://${connectHost(listenHost)}:${port}`;
}

/** A host to listen on, from the environment. */
export const listenHostSchema = z
  .string()
  .refine(isListenHost, 'must be a host name or an IP address')
  .default('127.0.0.1');
