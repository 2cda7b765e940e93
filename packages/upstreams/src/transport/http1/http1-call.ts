import { Buffer } from 'node:buffer';
import type {
  UpstreamCall,
  UpstreamFailure,
  UpstreamListener,
  UpstreamRequest,
  UpstreamTimeouts,
} from '../transport.ts';
import type { ResponseHead } from './parse-head.ts';

/** The operations of a call on its connection. */
export interface CallConnection {
  pause(): void;
  resume(): void;
  destroy(): void;
}

/** One request and its listener, which gets no events once the call has ended. */
export class Http1Call implements UpstreamCall {
  readonly request: UpstreamRequest;
  readonly timeouts: UpstreamTimeouts;
  /** `performance.now()` at the start. */
  readonly startedMs = performance.now();
  readonly #listener: UpstreamListener;
  connection: CallConnection | null = null;
  connectMs: number | null = null;
  /** True once the response's headers have arrived. */
  hasStarted = false;
  isPaused = false;
  isOver = false;

  constructor(request: UpstreamRequest, timeouts: UpstreamTimeouts, listener: UpstreamListener) {
    this.request = request;
    this.timeouts = timeouts;
    this.#listener = listener;
  }

  get isSent(): boolean {
    return this.connectMs !== null;
  }

  abort(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.connection?.destroy();
  }

  pause(): void {
    if (this.isOver || this.isPaused) return;
    this.isPaused = true;
    this.connection?.pause();
  }

  resume(): void {
    if (this.isOver || !this.isPaused) return;
    this.isPaused = false;
    this.connection?.resume();
  }

  start({ status, headers }: ResponseHead): void {
    if (this.isOver) return;
    this.hasStarted = true;
    this.#listener.onStart(status, (name) => headers.get(name) ?? null);
  }

  /** Passes bytes on that are overwritten after the return. */
  push(bytes: Buffer, start: number, end: number): void {
    if (this.isOver) return;
    const listener = this.#listener;
    if (listener.takesLent === true) {
      listener.onData(bytes.subarray(start, end));
      return;
    }
    const chunk = Buffer.allocUnsafe(end - start);
    bytes.copy(chunk, 0, start, end);
    listener.onData(chunk);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#listener.onEnd();
  }

  fail(failure: UpstreamFailure): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#listener.onError(failure);
  }
}
