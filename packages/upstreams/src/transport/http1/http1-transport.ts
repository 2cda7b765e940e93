import {
  CLOSED_TRANSPORT,
  DEFAULT_TIMEOUTS,
  type UpstreamFailure,
  type UpstreamRequest,
  type UpstreamTimeouts,
  type UpstreamTransport,
} from '../transport.ts';
import { ConnectionPool } from './connection-pool.ts';
import { getReadingFailure } from './failures.ts';
import { Http1Call } from './http1-call.ts';

/** Interval of the timeout check: one timer for all connections, none per call or chunk. */
const SWEEP_MS = 100;

export interface Http1TransportOptions {
  /** Default timeouts of calls. */
  timeouts?: UpstreamTimeouts;
  /** PEM certificates to trust instead of Node's own and NODE_EXTRA_CA_CERTS. */
  ca?: readonly string[];
}

/**
 * The transport for Node: HTTP/1.1 over TCP or TLS, one request at a time per connection, with keep-alive. It follows no
 * redirects, decodes no content coding and never sends a request twice. An unwritten call moves to another connection if
 * its kept connection ends first.
 */
export function createHttp1Transport(options: Http1TransportOptions = {}): UpstreamTransport {
  return new Http1Transport(options);
}

class Http1Transport implements UpstreamTransport {
  readonly #timeouts: UpstreamTimeouts;
  readonly #ca: readonly string[] | null;
  readonly #pools = new Map<string, ConnectionPool>();
  #sweep: ReturnType<typeof setInterval> | null = null;
  #isClosed = false;

  constructor({ timeouts, ca }: Http1TransportOptions) {
    this.#timeouts = timeouts ?? DEFAULT_TIMEOUTS;
    this.#ca = ca ?? null;
  }

  send(...[request, listener]: Parameters<UpstreamTransport['send']>): Http1Call {
    const call = new Http1Call(request, request.timeouts ?? this.#timeouts, listener);
    const failure = this.#isClosed ? CLOSED_TRANSPORT : this.#trySend(call, request);
    // `send` never calls a listener.
    if (failure !== null) process.nextTick(() => call.fail(failure));
    return call;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    for (const pool of this.#pools.values()) pool.close();
    this.#stopSweep();
    return Promise.resolve();
  }

  #trySend(call: Http1Call, { origin }: UpstreamRequest): UpstreamFailure | null {
    try {
      let pool = this.#pools.get(origin);
      if (pool === undefined) {
        pool = new ConnectionPool(origin, this.#ca);
        this.#pools.set(origin, pool);
      }
      pool.send(call);
      this.#sweep ??= setInterval(() => this.#checkTime(), SWEEP_MS);
      return null;
    } catch (error) {
      return getReadingFailure(error);
    }
  }

  #checkTime(): void {
    const nowMs = performance.now();
    let connections = 0;
    for (const pool of this.#pools.values()) {
      pool.checkTime(nowMs);
      connections += pool.size;
    }
    if (connections === 0) this.#stopSweep();
  }

  #stopSweep(): void {
    if (this.#sweep !== null) clearInterval(this.#sweep);
    this.#sweep = null;
  }
}
