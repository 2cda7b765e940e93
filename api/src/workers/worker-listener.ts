import net, { type Server as NetServer } from 'node:net';
import type { Server } from 'node:http';
import { LISTEN_FD } from './worker-place.ts';

/** Connections that may wait to be accepted, as Node has it by default. */
const BACKLOG = 511;

/** Accepts the connections of a worker: from its socket, and from the sockets of workers that are not ready. */
export class WorkerListener {
  readonly #server: Server;
  /** By position. */
  readonly #covering = new Map<number, NetServer>();
  /** Ended ones too, as long as they have connections. */
  readonly #covers = new Set<NetServer>();
  #isAccepting = true;

  constructor(server: Server) {
    this.#server = server;
  }

  /** @throws Error if the socket cannot be used */
  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ fd: LISTEN_FD, backlog: BACKLOG }, () => resolve());
    });
  }

  /** @param handle the listening socket of another worker */
  cover(position: number, handle: unknown): void {
    if (!this.#isAccepting || this.#covering.has(position) || handle === undefined) return;
    const cover = net.createServer(
      { noDelay: true },
      (socket) => void this.#server.emit('connection', socket),
    );
    // The connections stay in the queue of the socket.
    cover.on('error', () => this.uncover(position));
    this.#covering.set(position, cover);
    this.#covers.add(cover);
    cover.once('close', () => this.#covers.delete(cover));
    cover.listen(handle, BACKLOG);
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
    // Not the method of an HTTP server, which closes idle connections.
    net.Server.prototype.close.call(this.#server);
  }

  async countConnections(): Promise<number> {
    const counts = [this.#server, ...this.#covers].map(
      (server) =>
        new Promise<number>((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count))),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  close(onClosed: () => void): void {
    this.stopAccepting();
    let open = 1 + this.#covers.size;
    const end = () => {
      open -= 1;
      if (open === 0) onClosed();
    };
    for (const cover of this.#covers) cover.once('close', end);
    this.#server.close(end);
  }

  closeIdleConnections(): void {
    this.#server.closeIdleConnections();
  }

  closeAllConnections(): void {
    this.#server.closeAllConnections();
  }
}
