import { Client, type Dispatcher } from 'undici';
import type { UpstreamTimeouts } from './transport.ts';

/** Idle connections kept to one provider. */
const MAX_IDLE = 256;

/**
 * Connections to one provider, the last used first: taking one costs the same however many are busy, where undici's
 * own pool looks through all of them.
 */
export class ClientPool {
  readonly #origin: string;
  readonly #timeouts: UpstreamTimeouts;
  readonly #idle: Client[] = [];
  readonly #all = new Set<Client>();

  constructor(origin: string, timeouts: UpstreamTimeouts) {
    this.#origin = origin;
    this.#timeouts = timeouts;
  }

  /** Sends a request over a connection of its own. @returns what gives the connection back once the answer is over */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): () => void {
    const client = this.#idle.pop() ?? this.#open();
    client.dispatch(options, handler);
    return () => this.#release(client);
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#all].map((client) => client.destroy()));
  }

  #open(): Client {
    const client = new Client(this.#origin, {
      pipelining: 1,
      connect: { timeout: this.#timeouts.connectMs },
      headersTimeout: this.#timeouts.firstByteMs,
      bodyTimeout: this.#timeouts.idleMs,
    });
    this.#all.add(client);
    return client;
  }

  #release(client: Client): void {
    if (client.destroyed || client.closed) this.#all.delete(client);
    else if (this.#idle.length < MAX_IDLE) this.#idle.push(client);
    else {
      this.#all.delete(client);
      void client.destroy();
    }
  }
}
