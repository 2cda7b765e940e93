import type { Buffer } from 'node:buffer';
import { errors, type Dispatcher } from 'undici';
import { ClientPool } from './client-pool.ts';
import {
  DEFAULT_TIMEOUTS,
  type UpstreamCall,
  type UpstreamFault,
  type UpstreamListener,
  type UpstreamTimeouts,
  type UpstreamTransport,
} from './transport.ts';

/** The transport of Node: undici's `dispatch`, without the streams and promises of `fetch` on top of it. */
export function createUndiciTransport(timeouts: UpstreamTimeouts = DEFAULT_TIMEOUTS): UpstreamTransport {
  const pools = new Map<string, ClientPool>();
  const poolOf = (origin: string, connectMs: number): ClientPool => {
    // Of the timeouts, undici takes this one with the connection and the others with the request.
    const key = connectMs === timeouts.connectMs ? origin : `${origin} ${connectMs}`;
    let pool = pools.get(key);
    if (pool === undefined) {
      pool = new ClientPool(origin, connectMs);
      pools.set(key, pool);
    }
    return pool;
  };
  return {
    send(request, listener) {
      const { origin, path, headers, body } = request;
      const { connectMs, firstByteMs, idleMs, totalMs } = request.timeouts ?? timeouts;
      const call = new UndiciCall(listener, totalMs);
      call.start(poolOf(origin, connectMs), {
        path,
        method: 'POST',
        // undici reads the list and keeps it to itself.
        headers: headers as string[],
        body,
        headersTimeout: firstByteMs,
        bodyTimeout: idleMs,
      });
      return call;
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

class UndiciCall implements UpstreamCall, Dispatcher.DispatchHandler {
  readonly #listener: UpstreamListener;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #release: (() => void) | null = null;
  readonly #totalTimer: ReturnType<typeof setTimeout>;

  constructor(listener: UpstreamListener, totalMs: number) {
    this.#listener = listener;
    this.#totalTimer = setTimeout(() => this.#endLate(totalMs), totalMs);
  }

  start(pool: ClientPool, options: Dispatcher.DispatchOptions): void {
    this.#release = pool.dispatch(options, this);
  }

  abort(): void {
    if (!this.#finish()) return;
    this.#controller?.abort(new Error('aborted by the gateway'));
  }

  /** @returns false where it was over before */
  #finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#totalTimer);
    return true;
  }

  #endLate(totalMs: number): void {
    if (!this.#finish()) return;
    this.#controller?.abort(new Error('aborted by the gateway'));
    this.#listener.onError({ kind: 'timeout', detail: `no whole answer within ${totalMs} ms` });
  }

  /** Returns the connection to its pool, once. */
  #giveBack(): void {
    this.#release?.();
    this.#release = null;
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('aborted by the gateway'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx answers come before the real one.
    if (this.#isOver || status < 200) return;
    this.#listener.onStart(status, (name) => {
      const value = headers[name];
      return (Array.isArray(value) ? value.join(', ') : value) ?? null;
    });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isOver) this.#listener.onData(chunk);
  }

  onResponseEnd(): void {
    this.#giveBack();
    if (this.#finish()) this.#listener.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#giveBack();
    if (this.#finish()) this.#listener.onError(faultOf(error));
  }
}

function faultOf(error: Error): UpstreamFault {
  const detail =
    'code' in error && typeof error.code === 'string' ? `${error.code}: ${error.message}` : error.message;
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return { kind: 'timeout', detail };
  }
  if (error instanceof errors.ConnectTimeoutError) return { kind: 'connect', detail };
  const connectCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];
  if ('code' in error && connectCodes.includes(String(error.code))) return { kind: 'connect', detail };
  return { kind: 'cut', detail };
}
