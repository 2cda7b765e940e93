import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { findOverdue } from '../deadlines.ts';
import type { UpstreamFailure } from '../transport.ts';
import { getConnectionFailure, getReadingFailure, type ConnectionPhase } from './failures.ts';
import type { CallConnection, Http1Call } from './http1-call.ts';
import { openSocket, type OpenSocketOptions } from './open-socket.ts';
import type { ResponseHead } from './parse-head.ts';
import { RequestWriter } from './request-writer.ts';
import { ResponseReader, type ResponseSink } from './response-reader.ts';
import { atTurnEnd } from './turn-end.ts';

/** Default keep-alive, less than the five seconds of many servers. */
const DEFAULT_IDLE_MS = 4_000;
const MAX_IDLE_MS = 300_000;
/** Margin, so that no request is sent while the server closes. */
const IDLE_MARGIN_MS = 1_000;

/** Keeps idle connections, and finds another one for a call that a connection cannot carry. */
export interface ConnectionOwner {
  /** Carries the call over an idle connection or a new one. */
  carry(call: Http1Call, head: string): void;
  /** The connection is free again. */
  release(connection: Connection): void;
  /** The connection has ended; may be called repeatedly. */
  drop(connection: Connection): void;
  keepSession(session: Buffer): void;
}

/**
 * A connection to a provider, for one request at a time: https://www.rfc-editor.org/rfc/rfc9112#section-9
 */
export class Connection implements ResponseSink, CallConnection {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  #phase: ConnectionPhase = 'connecting';
  #call: Http1Call | null = null;
  /** Head of the call's request. */
  #head = '';
  #reader: ResponseReader | null = null;
  #writer: RequestWriter | null = null;
  /** True after the first request. */
  #isUsed = false;
  /** True after the first byte of the response. */
  #hasByte = false;
  /** Time of the last progress, by `performance.now()`. */
  #movedMs = 0;
  #idleUntilMs = 0;

  constructor(owner: ConnectionOwner, options: Omit<OpenSocketOptions, 'onRead'>) {
    this.#owner = owner;
    const { isSecure } = options.origin;
    const socket = openSocket({ ...options, onRead: (bytes, length) => this.#onRead(bytes, length) });
    this.#socket = socket;
    // Nothing is written before the certificate has been checked.
    if (isSecure) socket.once('secureConnect', () => this.#onReady());
    socket.once('connect', () => {
      if (isSecure) this.#phase = 'securing';
      else this.#onReady();
    });
    socket.on('session', (session: Buffer) => owner.keepSession(session));
    socket.on('drain', () => this.#onDrain());
    socket.on('end', () => this.#onEnd());
    socket.on('error', (error) => this.#onBroken(error));
    socket.on('close', () => this.#onBroken(null));
  }

  /** True if another request can be sent. */
  isUsable(nowMs: number): boolean {
    return this.#call === null && this.#socket.writable && nowMs < this.#idleUntilMs;
  }

  /** Carries the call, immediately or once connected. @param head from `encodeRequestHead` */
  carry(call: Http1Call, head: string): void {
    this.#call = call;
    this.#head = head;
    call.connection = this;
    if (this.#phase === 'ready') this.#begin(call);
  }

  /** Ends an overdue call or an overdue idle connection. */
  checkTime(nowMs: number): void {
    const call = this.#call;
    if (call === null) {
      if (nowMs >= this.#idleUntilMs) this.destroy();
      return;
    }
    const failure = findOverdue(call, { nowMs, movedMs: this.#movedMs, isReady: this.#phase === 'ready' });
    if (failure !== null) this.#fail(failure);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#movedMs = performance.now();
    this.#socket.resume();
  }

  /** Ends the connection immediately, without notifying its call. */
  destroy(): void {
    if (this.#call !== null) this.#endBodyUse(this.#call);
    this.#call = null;
    this.#reader?.stop();
    this.#writer?.stop();
    this.#socket.destroy();
    this.#owner.drop(this);
  }

  /** Ends the connection and its call immediately. */
  close(): void {
    this.#fail({ kind: 'cut', detail: 'the transport was closed' });
  }

  onHead(head: ResponseHead): void {
    // A server that refuses does not need the rest: https://www.rfc-editor.org/rfc/rfc9112#section-9.5
    if (head.status >= 300) this.#writer?.stop();
    this.#call?.start(head);
  }

  onBody(bytes: Buffer, start: number, end: number): void {
    this.#call?.push(bytes, start, end);
  }

  /** True if any byte of the request was sent. */
  get #hasAsked(): boolean {
    return this.#writer?.hasStarted === true;
  }

  /** Destroys a reused connection and moves its unsent call to another one. */
  #moveCall(): void {
    const call = this.#call;
    this.destroy();
    if (call !== null) this.#owner.carry(call, this.#head);
  }

  #onReady(): void {
    this.#phase = 'ready';
    if (this.#call !== null) this.#begin(this.#call);
  }

  #begin(call: Http1Call): void {
    this.#movedMs = performance.now();
    call.connectMs = Math.round(this.#movedMs - call.startedMs);
    this.#hasByte = false;
    this.#reader = new ResponseReader(this);
    const writer = new RequestWriter(this.#socket, this.#head, call.request.body);
    this.#writer = writer;
    atTurnEnd(() => writer.start());
  }

  #onRead(bytes: Buffer, length: number): void {
    const call = this.#call;
    const reader = this.#reader;
    if (call === null || reader === null || !this.#hasAsked) {
      // Bytes before the request could be read as its response.
      if (this.#isUsed) this.#moveCall();
      else this.#fail({ kind: 'protocol', detail: 'the provider sent bytes before the request' });
      return;
    }
    this.#hasByte = true;
    // Incomplete headers are no progress: a server must not extend its time by dripping them.
    if (call.hasStarted) this.#movedMs = performance.now();
    try {
      const isWhole = reader.feed(bytes, length);
      // The listener may have ended the call.
      if (isWhole && this.#call === call) this.#complete(call, reader);
    } catch (error) {
      this.#fail(getReadingFailure(error));
    }
  }

  /** Releases the read buffer and the connection before the listener may need one. */
  #complete(call: Http1Call, reader: ResponseReader): void {
    this.#endBodyUse(call);
    this.#call = null;
    this.#reader = null;
    const idleMs = idleTime(reader.keepAliveMs);
    const isSent = this.#writer?.isDone === true;
    this.#writer = null;
    if (reader.isReusable && isSent && idleMs > 0 && this.#socket.writable) {
      this.#isUsed = true;
      this.#idleUntilMs = performance.now() + idleMs;
      if (call.isPaused) this.#socket.resume();
      this.#owner.release(this);
    } else this.destroy();
    call.end();
  }

  /** Says that the body is not needed any more, if the kernel has all of it. */
  #endBodyUse(call: Http1Call): void {
    if (this.#writer?.isDone === true) call.request.bodyUse?.end();
  }

  #onDrain(): void {
    if (this.#call === null) return;
    this.#movedMs = performance.now();
    this.#writer?.pump();
  }

  /**
   * The server has ended its side, which completes a close-delimited body. Node does not report whether TLS was closed in
   * order (https://www.rfc-editor.org/rfc/rfc9112#section-9.8), so the reader must detect a cut body.
   */
  #onEnd(): void {
    const call = this.#call;
    if (call !== null && this.#reader?.finish() === true) {
      this.destroy();
      call.end();
    } else this.#onBroken(null);
  }

  #onBroken(error: Error | null): void {
    if (this.#isUsed && this.#call !== null && !this.#hasAsked) {
      this.#moveCall();
      return;
    }
    const cause = error ?? new Error('the provider closed the connection');
    const isStale = this.#phase === 'ready' && this.#isUsed && !this.#hasByte;
    const failure = getConnectionFailure(this.#phase, cause);
    this.#fail(isStale ? { kind: 'stale', detail: failure.detail } : failure);
  }

  #fail(failure: UpstreamFailure): void {
    const call = this.#call;
    this.destroy();
    call?.fail(failure);
  }
}

function idleTime(keepAliveMs: number | null): number {
  return keepAliveMs === null ? DEFAULT_IDLE_MS : Math.min(keepAliveMs - IDLE_MARGIN_MS, MAX_IDLE_MS);
}
