import type { Buffer } from 'node:buffer';
import type { Result } from '@tollgate/core/errors/errors';
import type { ReadLimits } from './request-body/read-limits.ts';

/** What was found out about the headers of a request, for the next ones that have the same. */
export interface HeaderFindings {
  /** The SHA-256 of the API key, in hex; null: not known, or it cannot be a key. */
  keyHash: string | null;
}

/**
 * One request and its response, as the pipeline sees them, over raw Node sockets or the `Request`/`Response` of
 * web-standard runtimes.
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
  /** Shared with earlier and later requests that have the same headers; absent: with no others. */
  readonly findings?: HeaderFindings;
  /** The response that is continued already by the body that was read; null: none. */
  readonly continuedResponseId: string | null;
  /** The declared length of the body in bytes, 0 without a body; null: unknown (chunked). */
  readonly declaredBodyBytes: number | null;
  /**
   * Reads the whole body within its limits. A body that was interrupted is denied as `invalid_request`.
   * @returns a promise only if the body has not arrived yet
   */
  readBody(limits: ReadLimits): Result<Buffer> | Promise<Result<Buffer>>;
  /**
   * Sets a response header, in place of an earlier value; only before the response starts. A value that no header can have is
   * left out: the caller needs the response more than the header.
   */
  setHeader(name: string, value: string): void;
  /** Sends the whole response. */
  send(status: number, contentType: string, body: Buffer | string): void;
  /**
   * Sends a large response as fast as the caller reads it.
   * @param pieces none of them empty
   * @param onTaken called once, when the caller has received all pieces or has disconnected
   */
  sendPieces(status: number, contentType: string, pieces: readonly Buffer[], onTaken: () => void): void;
  /** Starts a streamed response. */
  start(status: number, contentType: string): void;
  /** Sends text as UTF-8. @returns false if the caller reads too slowly: wait for `onDrain` */
  write(text: string): boolean;
  /**
   * The same for bytes given as one character each (latin1).
   * @param isLast `end` follows in this turn of the event loop, so both may be sent together
   */
  writeLatin1(bytes: string, isLast?: boolean): boolean;
  /**
   * The same for a large part of a stream, which is sent as fast as the caller reads it; what is written next follows it.
   * @param pieces bytes, and text that is sent as UTF-8
   * @param onTaken called once, when all of it was sent, or the caller has disconnected
   */
  writePieces(pieces: readonly (Buffer | string)[], onTaken: () => void): boolean;
  end(): void;
  /** Aborts the connection, so that a partial response does not look complete. */
  destroy(): void;
  /** Sets the listener for early disconnects and for slow callers that have caught up. */
  listen(listener: ExchangeListener): void;
  /** True once the caller has disconnected, or its response has ended: further writes are discarded. */
  readonly isDisconnected: boolean;
  /** Returned to the framework: the response, or a marker that it was sent directly. */
  readonly response: Response | Promise<Response>;
}

export interface ExchangeListener {
  onDisconnect(): void;
  onDrain(): void;
}

/** How a runtime turns the framework's request into an exchange. */
export type OpenExchange = (request: Request, env: unknown) => Exchange;
