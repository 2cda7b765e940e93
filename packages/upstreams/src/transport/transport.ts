import type { Buffer } from 'node:buffer';

/** A POST to a provider, or a call of the demo provider that looks like one. */
export interface UpstreamRequest {
  /** `https://api.openai.com` */
  origin: string;
  /** `/v1/chat/completions` */
  path: string;
  /** Name, value, name, value, … */
  headers: readonly string[];
  body: Buffer;
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
  kind: 'connect' | 'timeout' | 'cut';
  /** For the log: never shown to a caller. */
  detail: string;
}

/** A call under way. */
export interface UpstreamCall {
  /** Ends it at once; safe to call at any time. */
  abort(): void;
  /** Stops reading, so that a slow caller holds back the provider. */
  pause(): void;
  resume(): void;
}

/** The road to providers: one for Node, one for the web-standard runtimes, one inside the process. */
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
