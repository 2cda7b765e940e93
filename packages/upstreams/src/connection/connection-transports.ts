import { setTimeout as sleep } from 'node:timers/promises';
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

/** Limit of closing all transports, whose calls end immediately. */
const CLOSE_MS = 2_000;

/** The transports of providers that our own client cannot reach: providers with the same connection share one. */
export class ConnectionTransports {
  readonly #open: OpenTransport;
  readonly #closeMs: number;
  readonly #transports = new Map<string, RetirableTransport>();
  /** Those of changed connections, until their calls have ended. */
  readonly #retired = new Set<RetirableTransport>();

  constructor(open: OpenTransport = openUndici, { closeMs = CLOSE_MS }: { closeMs?: number } = {}) {
    this.#open = open;
    this.#closeMs = closeMs;
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
    for (const transport of this.#retired) if (transport.isIdle()) this.#retired.delete(transport);
    const kept = new Set(connections.map(getKey));
    for (const [key, transport] of this.#transports) {
      if (kept.has(key)) continue;
      this.#transports.delete(key);
      this.#retired.add(transport);
      transport.retire();
    }
  }

  /** Ends all calls, also those of changed connections. */
  async close(): Promise<void> {
    const all = [...this.#transports.values(), ...this.#retired];
    const timer = new AbortController();
    const closed = Promise.all(all.map((transport) => transport.close()));
    const limit = sleep(this.#closeMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([closed, limit]);
    timer.abort();
  }
}

function getKey({ proxy, ca, http2, connectMs }: ProviderConnection): string {
  return JSON.stringify([proxy, ca, http2, connectMs]);
}
