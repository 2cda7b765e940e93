/**
 * The listening sockets of an api with workers: one for each worker, on the same port. The kernel spreads new connections
 * over them. The supervisor opens them, keeps them open and accepts nothing, so connections in the queue of a worker that
 * ends are not reset: the next worker gets the same socket.
 */
import { lookup } from 'node:dns/promises';
import net, { type AddressInfo } from 'node:net';
import { getSystemErrorName } from 'node:util';
import { listen } from '../runtime/listen.ts';

/** A bound socket that does not accept connections. */
export interface BoundSocket {
  readonly fd: number;
  close(): void;
}

interface BoundHandle extends BoundSocket {
  /** @returns 0, or a negative error number */
  getsockname(address: Partial<AddressInfo>): number;
}

/** `UV_TCP_REUSEPORT` of https://docs.libuv.org/en/v1.x/tcp.html#c.uv_tcp_bind */
const REUSE_PORT = 2;
/** Systems whose kernel spreads connections over the sockets; elsewhere workers share one. */
const SPREADING = new Set(['linux', 'freebsd']);

/**
 * Node binds a socket without listening on it only here; the cluster module does the same. A server of `net` would accept
 * connections in the supervisor.
 */
const binder = net as unknown as {
  /** @returns a negative error number, if it fails */
  _createServerHandle(
    address: string,
    port: number,
    addressType: number,
    fd: undefined,
    flags: number,
  ): BoundHandle | number;
};

/**
 * @param count number of workers
 * @returns a socket for each of them; the same one, if the system does not spread connections
 * @throws Error that names the port and its setting if the port is taken
 */
export async function openListeningSockets(
  host: string,
  port: number,
  count: number,
): Promise<{ sockets: BoundSocket[]; port: number }> {
  await refuseTaken(host, port);
  const { address, family } = await lookup(host);
  const isSpread = SPREADING.has(process.platform);
  const bind = (at: number) => {
    const handle = binder._createServerHandle(address, at, family, undefined, isSpread ? REUSE_PORT : 0);
    if (typeof handle !== 'number') return handle;
    throw new Error(`Cannot listen on ${host}:${at} (${getSystemErrorName(handle)})`);
  };
  const first = bind(port);
  const bound: Partial<AddressInfo> = {};
  first.getsockname(bound);
  const actual = bound.port ?? port;
  const others = Array.from({ length: count - 1 }, () => (isSpread ? bind(actual) : first));
  return { sockets: [first, ...others], port: actual };
}

/** Sockets that share a port would also share it with another installation. */
async function refuseTaken(host: string, port: number): Promise<void> {
  const probe = net.createServer();
  await listen(probe, port, host);
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}
