import { createLazyTransport } from '../transport/lazy-transport.ts';
import { DEFAULT_TIMEOUTS, type RetirableTransport, type UpstreamTransport } from '../transport/transport.ts';
import type { ProviderConnection } from './provider-connection.ts';

export type OpenTransport = (connection: ProviderConnection) => RetirableTransport;

/** Opens the transport of a connection on Node. */
const openUndici: OpenTransport = ({ connectMs, ...connection }) =>
  createLazyTransport(async () => {
    const { createUndiciTransport } = await import('../transport/undici/undici-transport.ts');
    return createUndiciTransport({ ...connection, timeouts: { ...DEFAULT_TIMEOUTS, connectMs } });
  });

/** The transports of providers that our own client cannot reach: providers with the same connection share one. */
export class ConnectionTransports {
  readonly #open: OpenTransport;
  readonly #transports = new Map<string, RetirableTransport>();

  constructor(open: OpenTransport = openUndici) {
    this.#open = open;
  }

  of(connection: ProviderConnection): UpstreamTransport {
    const key = getKey(connection);
    let transport = this.#transports.get(key);
    if (transport === undefined) {
      transport = this.#open(connection);
      this.#transports.set(key, transport);
    }
    return transport;
  }

  /** Closes the transports of all other connections once their calls have ended. */
  keepOnly(connections: readonly ProviderConnection[]): void {
    const kept = new Set(connections.map(getKey));
    for (const [key, transport] of this.#transports) {
      if (kept.has(key)) continue;
      this.#transports.delete(key);
      transport.retire();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#transports.values()].map((transport) => transport.close()));
  }
}

function getKey({ proxy, ca, http2, connectMs }: ProviderConnection): string {
  return JSON.stringify([proxy, ca, http2, connectMs]);
}
