import type { Buffer } from 'node:buffer';
import { getFraming, keepAliveMs, staysOpen, type BodyFraming } from './body-framing.ts';
import { ChunkedBody } from './chunked-body.ts';
import { HeadReader, type ResponseHead } from './parse-head.ts';
import { ProtocolError } from './protocol-error.ts';
import { scanHead } from './scan-head.ts';

/** Maximum number of interim (1xx) responses. */
const MAX_INTERIM = 16;

/** Receives the parsed parts of a response. */
export interface ResponseSink {
  onHead(head: ResponseHead): void;
  /** Body data between two offsets; the bytes are overwritten after this returns. */
  onBody(bytes: Buffer, start: number, end: number): void;
}

/** Reads one response in pieces of any size: https://www.rfc-editor.org/rfc/rfc9112#section-2.2 */
export class ResponseReader {
  readonly #sink: ResponseSink;
  #hasHead = false;
  /** A head that came in pieces; null: none. */
  #pieces: HeadReader | null = null;
  #interim = 0;
  #framing: BodyFraming = { kind: 'none' };
  #left = 0;
  #chunks: ChunkedBody | null = null;
  #isStopped = false;
  /** True once the response is complete and no bytes follow it. */
  isReusable = false;
  /** How long the server keeps the connection, in milliseconds, if it says so. */
  keepAliveMs: number | null = null;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /** Stops all further calls to the sink. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Consumes the first `length` bytes, and may overwrite them.
   * @returns true if the response is complete
   * @throws ProtocolError if it is not valid
   */
  feed(bytes: Buffer, length: number): boolean {
    let at = 0;
    if (!this.#hasHead) {
      at = this.#takeHead(bytes, length);
      if (!this.#hasHead || this.#isStopped) return false;
    }
    return this.#takeBody(bytes, at, length);
  }

  /** Handles an orderly end of the connection. @returns true if it completes the response */
  finish(): boolean {
    return this.#hasHead && this.#framing.kind === 'close';
  }

  /** @returns the offset after the head, or after all bytes */
  #takeHead(bytes: Buffer, length: number): number {
    let at = 0;
    while (!this.#hasHead) {
      const scanned = this.#pieces === null ? scanHead(bytes, at, length) : null;
      const { head, next } = scanned ?? this.#takeLines(bytes.subarray(0, length), at);
      at = next;
      if (head === null) break;
      if (head.status < 200) this.#skipInterim(head);
      else this.#start(head);
      if (at === length) break;
    }
    return at;
  }

  #takeLines(bytes: Buffer, from: number): { head: ResponseHead | null; next: number } {
    this.#pieces ??= new HeadReader();
    const head = this.#pieces.take(bytes, from);
    return { head, next: this.#pieces.next };
  }

  /** Ignores interim responses: https://www.rfc-editor.org/rfc/rfc9110#section-15.2 */
  #skipInterim(head: ResponseHead): void {
    this.#interim += 1;
    if (head.status === 101)
      throw new ProtocolError('the server switched protocols without a request to do so');
    if (this.#interim > MAX_INTERIM)
      throw new ProtocolError(`more than ${MAX_INTERIM} interim responses came`);
    getFraming(head);
    this.#pieces = null;
  }

  #start(head: ResponseHead): void {
    this.#hasHead = true;
    this.#pieces = null;
    this.#framing = getFraming(head);
    this.#left = this.#framing.kind === 'length' ? this.#framing.bytes : 0;
    this.#chunks = this.#framing.kind === 'chunked' ? new ChunkedBody() : null;
    this.isReusable = staysOpen(head, this.#framing);
    this.keepAliveMs = keepAliveMs(head);
    this.#sink.onHead(head);
  }

  #takeBody(bytes: Buffer, from: number, to: number): boolean {
    const chunks = this.#chunks;
    if (chunks !== null) {
      chunks.decode(bytes, from, to);
      if (chunks.end > chunks.start) this.#sink.onBody(bytes, chunks.start, chunks.end);
      return chunks.isDone && this.#end(chunks.next, to);
    }
    if (this.#framing.kind === 'close') {
      if (to > from) this.#sink.onBody(bytes, from, to);
      return false;
    }
    const end = Math.min(to, from + this.#left);
    this.#left -= end - from;
    if (end > from) this.#sink.onBody(bytes, from, end);
    return this.#left === 0 && this.#end(end, to);
  }

  /** Bytes after the response belong to no request, so the connection cannot be used again. */
  #end(next: number, to: number): true {
    if (next < to) this.isReusable = false;
    return true;
  }
}
