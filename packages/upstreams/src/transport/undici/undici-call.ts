import { Buffer } from 'node:buffer';
import type { Dispatcher } from 'undici';
import { findOverdue } from '../deadlines.ts';
import type { UpstreamCall, UpstreamFailure, UpstreamListener, UpstreamTimeouts } from '../transport.ts';
import { trimBlanks } from '../trim-blanks.ts';
import { getSilentProxyFailure } from './connection-failure.ts';
import type { ConnectionUse } from './connection-use.ts';
import { FramingLimit } from './framing-limit.ts';
import { getUndiciFailure } from './undici-failures.ts';

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** The limits of the other client. */
const MAX_HEADERS = 256;
const MAX_INTERIM = 16;
const ABORTED = new Error('the call has ended');

export interface UndiciCallOptions {
  listener: UpstreamListener;
  timeouts: UpstreamTimeouts;
  /** The proxy that forwards the request, and may itself answer 407, without its credential; null: none does. */
  forwarder: string | null;
  onOver: (call: UndiciCall) => void;
}

/** One request over undici, and its listener, which gets no events once the call has ended. */
export class UndiciCall implements UpstreamCall, Dispatcher.DispatchHandler {
  readonly timeouts: UpstreamTimeouts;
  readonly startedMs = performance.now();
  readonly #listener: UpstreamListener;
  readonly #forwarder: string | null;
  readonly #onOver: (call: UndiciCall) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #movedMs = 0;
  #hasByte = false;
  #isReused = false;
  #interim = 0;
  #framing: FramingLimit | null = null;
  /** Set by the client that sends the call. */
  use: ConnectionUse | null = null;
  connectMs: number | null = null;
  hasStarted = false;
  isRefused = false;
  isPaused = false;
  isOver = false;

  constructor({ listener, timeouts, forwarder, onOver }: UndiciCallOptions) {
    this.#listener = listener;
    this.timeouts = timeouts;
    this.#forwarder = forwarder;
    this.#onOver = onOver;
  }

  get isSent(): boolean {
    return this.connectMs !== null;
  }

  abort(): void {
    if (!this.isOver) this.#stop();
  }

  pause(): void {
    if (this.isOver || this.isPaused) return;
    this.isPaused = true;
    this.#controller?.pause();
  }

  resume(): void {
    if (this.isOver || !this.isPaused) return;
    this.isPaused = false;
    this.#movedMs = performance.now();
    // undici reads on immediately, which it cannot do while it reads for another call.
    queueMicrotask(() => {
      if (!this.isOver && !this.isPaused) this.#controller?.resume();
    });
  }

  /** Ends the call if it exceeded one of its timeouts, or the server the limit of what is not body. */
  checkTime(nowMs: number): void {
    const isReady = this.#controller !== null;
    const failure = findOverdue(this, { nowMs, movedMs: this.#movedMs, isReady });
    const proxy = isReady ? null : (this.use?.awaitedProxy ?? null);
    if (failure !== null) this.fail(proxy === null ? failure : getSilentProxyFailure(failure, proxy));
    else if (this.#framing?.isExceeded() === true)
      this.fail({ kind: 'protocol', detail: 'the response has too much framing for its body' });
  }

  fail(failure: UpstreamFailure): void {
    if (this.isOver) return;
    this.#stop();
    this.#listener.onError(failure);
  }

  /** Called again if an HTTP/2 server refused the stream unprocessed. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.use !== null) {
      this.#isReused = this.use.requests > 0;
      this.use.requests += 1;
      if (this.use.http1 !== null) this.#framing = new FramingLimit(this.use.http1);
    }
    if (this.isOver) {
      // undici closes the connection.
      controller.abort(ABORTED);
      return;
    }
    this.#controller = controller;
    this.#movedMs = performance.now();
    this.connectMs = Math.round(this.#movedMs - this.startedMs);
    if (this.isPaused) controller.pause();
  }

  onBodySent(): void {
    this.#movedMs = performance.now();
  }

  onResponseStarted(): void {
    this.#hasByte = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (this.isOver) return;
    if (status < 200) {
      this.#skipInterim();
      return;
    }
    if (this.#forwarder !== null && status === 407) {
      this.fail({ kind: 'connect', detail: 'the proxy answered 407', proxy: this.#forwarder });
      return;
    }
    if (countHeaders(headers) > MAX_HEADERS) {
      this.fail({ kind: 'protocol', detail: `the response has more than ${MAX_HEADERS} headers` });
      return;
    }
    this.hasStarted = true;
    // A server that refuses does not need the rest: https://www.rfc-editor.org/rfc/rfc9112#section-9.5
    this.isRefused = status >= 300;
    this.#movedMs = performance.now();
    this.#listener.onStart(status, (name) => findHeader(headers, name));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // undici passes an empty chunk when it resumes.
    if (this.isOver || chunk.length === 0) return;
    this.#movedMs = performance.now();
    this.#framing?.addBody(chunk.length);
    // A listener that keeps a small chunk would keep the whole read.
    this.#listener.onData(Buffer.from(chunk));
  }

  onResponseEnd(): void {
    if (this.isOver) return;
    this.#finish();
    this.#listener.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.isOver) return;
    const moment = {
      isReady: this.#controller !== null,
      hasStarted: this.hasStarted,
      isReused: this.#isReused,
      hasByte: this.#hasByte,
    };
    this.#finish();
    this.#listener.onError(getUndiciFailure(error, moment));
  }

  /** Ignores interim responses: https://www.rfc-editor.org/rfc/rfc9110#section-15.2 */
  #skipInterim(): void {
    this.#interim += 1;
    if (this.#interim > MAX_INTERIM)
      this.fail({ kind: 'protocol', detail: `more than ${MAX_INTERIM} interim responses came` });
  }

  /** Ends the request too; before it has a connection, `onRequestStart` does. */
  #stop(): void {
    this.#finish();
    this.#controller?.abort(ABORTED);
  }

  #finish(): void {
    this.isOver = true;
    this.#onOver(this);
  }
}

function countHeaders(headers: Headers): number {
  let count = 0;
  for (const name in headers) {
    const value = headers[name];
    count += Array.isArray(value) ? value.length : 1;
  }
  return count;
}

/** Without the blanks at the end of a value, which undici keeps: https://www.rfc-editor.org/rfc/rfc9112#section-5 */
function findHeader(headers: Headers, name: string): string | null {
  if (!Object.hasOwn(headers, name)) return null;
  const value = headers[name];
  if (value === undefined) return null;
  if (!Array.isArray(value)) return trimBlanks(value);
  return value.map(trimBlanks).join(', ');
}
