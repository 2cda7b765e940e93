import { Buffer } from 'node:buffer';
import {
  joinBody,
  DEFAULT_TIMEOUTS,
  type UpstreamCall,
  type UpstreamListener,
  type UpstreamRequest,
  type UpstreamTimeouts,
  type UpstreamTransport,
} from './transport.ts';

/** The transport of Deno, Bun and other web-standard runtimes. `connectMs` is part of `firstByteMs` here. */
export function createFetchTransport(timeouts: UpstreamTimeouts = DEFAULT_TIMEOUTS): UpstreamTransport {
  const calls = new Set<FetchCall>();
  return {
    send(request, listener) {
      const call = new FetchCall(listener, request.timeouts ?? timeouts);
      calls.add(call);
      void call.run(request).finally(() => calls.delete(call));
      return call;
    },
    close() {
      for (const call of calls) call.abort();
      return Promise.resolve();
    },
  };
}

class FetchCall implements UpstreamCall {
  readonly connectMs = null;
  readonly isSent = true;
  readonly #listener: UpstreamListener;
  readonly #timeouts: UpstreamTimeouts;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #totalTimer: ReturnType<typeof setTimeout>;
  #isOver = false;
  #timedOut = false;
  #paused: { promise: Promise<void>; resolve: () => void } | null = null;

  constructor(listener: UpstreamListener, timeouts: UpstreamTimeouts) {
    this.#listener = listener;
    this.#timeouts = timeouts;
    this.#totalTimer = setTimeout(() => this.#endLate(), timeouts.totalMs);
  }

  abort(): void {
    this.#isOver = true;
    this.#controller.abort();
    this.resume();
  }

  pause(): void {
    this.#paused ??= Promise.withResolvers<void>();
  }

  resume(): void {
    this.#paused?.resolve();
    this.#paused = null;
  }

  async run(request: UpstreamRequest): Promise<void> {
    try {
      this.#expectWithin(this.#timeouts.firstByteMs);
      const response = await fetch(request.origin + request.path, {
        method: request.method ?? 'POST',
        headers: toHeaders(request.headers),
        body: request.method === 'GET' ? null : new Uint8Array(joinBody(request.body)),
        redirect: 'manual',
        signal: this.#controller.signal,
      });
      if (!this.#isOver) this.#listener.onStart(response.status, (name) => response.headers.get(name));
      await this.#read(response.body);
    } catch (error) {
      this.#fail(error);
    } finally {
      clearTimeout(this.#totalTimer);
      if (this.#timer !== null) clearTimeout(this.#timer);
    }
  }

  async #read(body: ReadableStream<Uint8Array> | null): Promise<void> {
    const reader = body?.getReader();
    for (;;) {
      this.#expectWithin(this.#timeouts.idleMs);
      const result = await reader?.read();
      if (this.#isOver) return;
      if (result === undefined || result.done) break;
      const { buffer, byteOffset, byteLength } = result.value;
      this.#listener.onData(Buffer.from(buffer, byteOffset, byteLength));
      await this.#paused?.promise;
    }
    this.#isOver = true;
    this.#listener.onEnd();
  }

  #expectWithin(limitMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#endLate(), limitMs);
  }

  #endLate(): void {
    this.#timedOut = true;
    this.#controller.abort();
    this.resume();
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const detail = error instanceof Error ? error.message : String(error);
    // Only the message of a fetch error separates a failed connection from a cut one.
    const kind = this.#timedOut ? 'timeout' : 'cut';
    this.#listener.onError({ kind, detail });
  }
}

function toHeaders(list: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < list.length; at += 2) headers.append(list[at] ?? '', list[at + 1] ?? '');
  return headers;
}
