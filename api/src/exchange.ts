import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import type { ReadLimits } from './request-body/read-limits.ts';

/**
 * One request and its answer, as the pipeline sees them: the raw sockets of Node and the `Request`/`Response` of the
 * web-standard runtimes are both behind it.
 */
export interface Exchange {
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number;
  /** `POST` */
  readonly method: string;
  /** With the question mark, or empty: `?beta=true`. */
  readonly query: string;
  /** @param name in lower case */
  header(name: string): string | null;
  /** The declared length of the body in bytes, 0 without a body; null: unknown (chunked). */
  readonly declaredBodyBytes: number | null;
  /** Reads the whole body within its limits. A body that breaks off is denied as `invalid_request`. */
  readBody(limits: ReadLimits): Promise<Result<Buffer>>;
  /** Adds a header to the answer; only before it starts. */
  setHeader(name: string, value: string): void;
  /** Answers in one piece. */
  send(status: number, contentType: string, body: Buffer | string): void;
  /**
   * Answers with bytes that may be many: they are written as fast as the caller takes them.
   * @param pieces none is empty
   * @param onTaken called once, when the caller has taken all of them, or has left
   */
  sendPieces(status: number, contentType: string, pieces: readonly Buffer[], onTaken: () => void): void;
  /** Starts an answer that comes in pieces. */
  start(status: number, contentType: string): void;
  /** Sends text as UTF-8. @returns false where the caller reads too slowly: wait for `onDrain` */
  write(text: string): boolean;
  /** The same for bytes that come as one character each (latin1). */
  writeLatin1(bytes: string): boolean;
  end(): void;
  /** Breaks the connection off, so that what was sent cannot pass for a whole answer. */
  destroy(): void;
  /** The one who is told when the caller left before the answer was complete, and when a slow caller has caught up. */
  listen(listener: ExchangeListener): void;
  /** True once the caller has left. */
  readonly isGone: boolean;
  /** What the framework gets: the answer itself, or a sign that it was sent past it. */
  readonly response: Response | Promise<Response>;
}

export interface ExchangeListener {
  onGone(): void;
  onDrain(): void;
}

/** How a runtime turns what the framework hands it into an exchange. */
export type OpenExchange = (request: Request, env: unknown) => Exchange;
