import { Buffer } from 'node:buffer';

/** A body in pieces that are sent one after the other, because joining would copy them. */
interface BodyInPieces {
  readonly pieces: readonly Buffer[];
}

/** The bytes of a request. */
export type UpstreamBody = Buffer | BodyInPieces;

export function lengthOfBody(body: UpstreamBody): number {
  return Buffer.isBuffer(body) ? body.length : body.pieces.reduce((sum, { length }) => sum + length, 0);
}

export function joinBody(body: UpstreamBody): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.concat(body.pieces);
}

/** Counts the calls that need a body. */
export interface BodyUse {
  /** A call has sent the whole body, or will send no more of it. Called once for each call at most. */
  end(): void;
}

/** A request to a provider, or to the demo provider. */
export interface UpstreamRequest {
  /** Absent: POST. A GET has an empty body. */
  method?: 'GET';
  /** `https://api.openai.com` */
  origin: string;
  /** `/v1/chat/completions` */
  path: string;
  /** Name, value, name, value, … */
  headers: readonly string[];
  body: UpstreamBody;
  /** Learns when the call needs no byte of the body any more; a transport that cannot know it does not say so. */
  bodyUse?: BodyUse | null;
  /** null or absent: the transport's timeouts. */
  timeouts?: UpstreamTimeouts | null;
}

/**
 * Events of a call, in order: `onStart` once, `onData` for each chunk, then `onEnd` or `onError`. After `abort` no method
 * is called.
 */
export interface UpstreamListener {
  /** True: `onData` copies what it keeps of a chunk, whose memory may have other bytes after its return. */
  readonly takesLent?: boolean;
  onStart(status: number, header: (name: string) => string | null): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  onError(failure: UpstreamFailure): void;
}

/** Why a response is missing or incomplete. */
export interface UpstreamFailure {
  /**
   * - `dns`, `connect`, `tls`: the provider's name was not found, it could not be reached, or its certificate is not valid.
   *   It received nothing of the request.
   * - `stale`: a reused connection ended after the request was written and before the first byte of the response.
   *   Nearly always the provider closed it while the request was in transit and did not process it. A provider that
   *   crashed after it took the request looks the same: a retry is usually right, but may in rare cases be billed twice.
   * - `timeout`: one of the timeouts passed. The provider may still process the request.
   * - `cut`: the connection broke. The provider may have processed and billed the whole request.
   * - `busy`: the provider has its maximum of calls, so that the call was not made.
   * - `protocol`: the response is not HTTP, or the request cannot be written as HTTP. A retry would fail too.
   */
  kind: 'dns' | 'connect' | 'tls' | 'stale' | 'timeout' | 'cut' | 'busy' | 'protocol';
  /** For the log; never shown to a caller. */
  detail: string;
  /** The forward proxy that failed or refused the request, without its credential: the provider was not reached. */
  proxy?: string;
}

/** A call in flight. */
export interface UpstreamCall {
  /** Time to connect, 0 if the connection was reused; null: not connected yet, or unknown. */
  readonly connectMs: number | null;
  /** False: the provider has certainly received nothing yet. */
  readonly isSent: boolean;
  /** Ends the call immediately; safe to call at any time. */
  abort(): void;
  /** Stops reading, so that a slow caller slows the provider down. */
  pause(): void;
  resume(): void;
}

/** The failure of calls after `close`. */
export const CLOSED_TRANSPORT: UpstreamFailure = { kind: 'connect', detail: 'the transport is closed' };

/** Sends calls to providers; implemented for Node, web-standard runtimes and the demo provider. */
export interface UpstreamTransport {
  send(request: UpstreamRequest, listener: UpstreamListener): UpstreamCall;
  close(): Promise<void>;
}

/** A transport whose connection may be changed while it has calls. */
export interface RetirableTransport extends UpstreamTransport {
  /** Closes its connections once its calls have ended. A later call opens a new one. */
  retire(): void;
  /** True if no call needs it, so that it may be forgotten after `retire`. */
  isIdle(): boolean;
}

/** Timeouts of a call to a provider, in milliseconds. */
export interface UpstreamTimeouts {
  connectMs: number;
  /** Until the response's headers. */
  firstByteMs: number;
  /** Between two chunks. */
  idleMs: number;
  /** From the start to the last byte. */
  totalMs: number;
}

export const DEFAULT_TIMEOUTS: UpstreamTimeouts = {
  connectMs: 10_000,
  firstByteMs: 300_000,
  idleMs: 120_000,
  totalMs: 600_000,
};
