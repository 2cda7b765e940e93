import { Client, type Dispatcher } from 'undici';

/** Idle connections kept to one provider. */
const MAX_IDLE = 256;

/**
 * Connections to one provider (the timeouts of an answer belong to each request), the last used first: taking one costs the same however many are busy, where undici's
 * own pool looks through all of them.
 */
export class ClientPool {
  readonly #origin: string;
  readonly #connectTimeoutMs: number;
  readonly #idle: Client[] = [];
  readonly #all = new Set<Client>();

  constructor(origin: string, connectTimeoutMs: number) {
    this.#origin = origin;
    this.#connectTimeoutMs = connectTimeoutMs;
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
      connect: { timeout: this.#connectTimeoutMs },
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
