import { BlockList, isIP } from 'node:net';

/**
 * Parses NO_PROXY: names with their subdomains, addresses, networks and `*`, each with an optional port, separated by commas
 * or blanks (https://curl.se/docs/manpage.html#--noproxy).
 * @returns true for the hosts that are reached directly
 */
export function parseNoProxy(text: string): (host: string, port: number) => boolean {
  const entries = text
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .map(parseEntry);
  return (host, port) => {
    const name = host
      .toLowerCase()
      .replace(/^\[(.*)\]$/, '$1')
      .replace(/\.$/, '');
    return entries.some((entry) => (entry.port === null || entry.port === port) && entry.matches(name));
  };
}

interface Entry {
  /** null: every port. */
  port: number | null;
  matches(name: string): boolean;
}

function parseEntry(text: string): Entry {
  const network = parseNetwork(text);
  if (network !== null) return { port: null, matches: network };
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+|.*:.*:.*?))(?::(\d+))?$/.exec(text) ?? [];
  const isBareV6 = isIP(text) === 6;
  const name = (isBareV6 ? text : (bracketed ?? plain ?? text)).toLowerCase();
  return {
    port: isBareV6 || port === undefined ? null : Number(port),
    matches: matchName(name),
  };
}

function matchName(name: string): (host: string) => boolean {
  if (name === '*') return () => true;
  if (isIP(name) !== 0) return (host) => host === name;
  const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '');
  const isSubdomainOnly = name.startsWith('*.');
  return (host) => (!isSubdomainOnly && host === suffix) || host.endsWith(`.${suffix}`);
}

/** `10.0.0.0/8` @returns null if it is no network */
function parseNetwork(text: string): ((host: string) => boolean) | null {
  const [, address = '', bits = ''] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  if (family === 0 || Number(bits) > (family === 4 ? 32 : 128)) return null;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return (host) => {
    const hostFamily = isIP(host);
    return hostFamily !== 0 && list.check(host, hostFamily === 4 ? 'ipv4' : 'ipv6');
  };
}
