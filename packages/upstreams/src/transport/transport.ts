import { Buffer } from 'node:buffer';

/** A body that is not joined, which would copy it: its pieces are sent one after the other. */
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

/** A POST to a provider, or a call of the demo provider that looks like one. */
export interface UpstreamRequest {
  /** `https://api.openai.com` */
  origin: string;
  /** `/v1/chat/completions` */
  path: string;
  /** Name, value, name, value, … */
  headers: readonly string[];
  body: UpstreamBody;
  /** null or absent: those of the transport. */
  timeouts?: UpstreamTimeouts | null;
}

/**
 * What happens to a call, in order: `onStart` once, `onData` for each chunk, then one of `onEnd` and `onError`.
 * After `abort` nothing more is told.
 */
export interface UpstreamListener {
  onStart(status: number, header: (name: string) => string | null): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  onError(fault: UpstreamFault): void;
}

/** Why no answer, or no whole answer, came. */
export interface UpstreamFault {
  /**
   * - `dns`, `connect`, `tls`: the provider's name was not found, it could not be reached, or it could not prove who it is.
   *   It has got nothing of the request.
   * - `stale`: a connection kept from an earlier request ended after the request was written and before the first byte of an answer. Nearly always the
   *   provider had closed it while the request was on its way, and has not looked at it; one that took the request and
   *   died at once looks the same, so that repeating it is right for most and may in the rarest case be billed twice.
   * - `timeout`: one of the timeouts passed. The provider may be at work on the request.
   * - `cut`: the connection broke. The provider may have done, and billed, all of the request.
   * - `protocol`: what came is not HTTP, or the request cannot be written as such. The same would happen again.
   */
  kind: 'dns' | 'connect' | 'tls' | 'stale' | 'timeout' | 'cut' | 'protocol';
  /** For the log: never shown to a caller. */
  detail: string;
}

/** A call under way. */
export interface UpstreamCall {
  /** How long its connection took, 0: it was kept from an earlier call; null: there is none yet, or nobody can tell. */
  readonly connectMs: number | null;
  /** Ends it at once; safe to call at any time. */
  abort(): void;
  /** Stops reading, so that a slow caller holds back the provider. */
  pause(): void;
  resume(): void;
}

/** The upstreams to providers: one for Node, one for the web-standard runtimes, one inside the process. */
export interface UpstreamTransport {
  send(request: UpstreamRequest, listener: UpstreamListener): UpstreamCall;
  close(): Promise<void>;
}

/** How long a provider may take, in milliseconds. */
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
