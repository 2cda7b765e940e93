import net, { type Server as NetServer } from 'node:net';
import type { Server } from 'node:http';
import { LISTEN_FD } from './worker-place.ts';

/** Connections that may wait to be accepted, as Node has it by default. */
const BACKLOG = 511;

/** Accepts the connections of a worker: from its socket, and from the sockets of workers that are not ready. */
export class WorkerListener {
  readonly #server: Server;
  /** Of its socket, under its further file descriptors. */
  readonly #further: NetServer[] = [];
  /** By position. */
  readonly #covering = new Map<number, NetServer>();
  /** Further and covering ones; ended ones too, as long as they have connections. */
  readonly #acceptors = new Set<NetServer>();
  #isAccepting = true;

  constructor(server: Server) {
    this.#server = server;
  }

  /**
   * libuv accepts one connection for each file descriptor in a turn of the event loop. On a busy loop, whose turns take long,
   * connections would wait for seconds in the queue of a single one.
   * @param fds number of file descriptors of the socket
   * @throws Error if the socket cannot be used
   */
  async listen(fds: number): Promise<void> {
    await listenOn(this.#server, LISTEN_FD);
    for (let fd = LISTEN_FD + 1; fd < LISTEN_FD + fds; fd += 1) {
      const acceptor = this.#createAcceptor();
      this.#further.push(acceptor);
      await listenOn(acceptor, fd);
    }
  }

  /** @param handle the listening socket of another worker; undefined: it could not be sent */
  cover(position: number, handle: { close(): void } | undefined): void {
    if (handle === undefined) return;
    if (!this.#isAccepting || this.#covering.has(position)) {
      handle.close();
      return;
    }
    const cover = this.#createAcceptor();
    // The connections stay in the queue of the socket.
    cover.on('error', () => this.uncover(position));
    this.#covering.set(position, cover);
    cover.listen(handle, BACKLOG);
  }

  /** A server whose connections are those of the HTTP server. */
  #createAcceptor(): NetServer {
    const acceptor = net.createServer(
      { noDelay: true },
      (socket) => void this.#server.emit('connection', socket),
    );
    this.#acceptors.add(acceptor);
    acceptor.once('close', () => this.#acceptors.delete(acceptor));
    return acceptor;
  }

  uncover(position: number): void {
    this.#covering.get(position)?.close();
    this.#covering.delete(position);
  }

  /** The connections in the queues are for other workers, which have the same sockets. Idle connections stay open. */
  stopAccepting(): void {
    if (!this.#isAccepting) return;
    this.#isAccepting = false;
    for (const position of this.#covering.keys()) this.uncover(position);
    for (const acceptor of this.#further) acceptor.close();
    // Not the method of an HTTP server, which closes idle connections.
    net.Server.prototype.close.call(this.#server);
  }

  async countConnections(): Promise<number> {
    const counts = [this.#server, ...this.#acceptors].map(
      (server) =>
        new Promise<number>((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count))),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  close(onClosed: () => void): void {
    this.stopAccepting();
    let open = 1 + this.#acceptors.size;
    const end = () => {
      open -= 1;
      if (open === 0) onClosed();
    };
    for (const acceptor of this.#acceptors) acceptor.once('close', end);
    this.#server.close(end);
  }

  closeIdleConnections(): void {
    this.#server.closeIdleConnections();
  }

  closeAllConnections(): void {
    this.#server.closeAllConnections();
  }
}

function listenOn(server: NetServer, fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ fd, backlog: BACKLOG }, () => resolve());
  });
}
