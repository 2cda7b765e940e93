import type { IncomingHttpHeaders } from 'node:http';
import type { TokenUsage } from '@tollgate/core/money/money';
import type { FakeDialect } from './script.ts';

/**
 * How a request ended: `complete` (the whole body went out), `cut` (a script broke it off), `aborted`
 * (the client left first), `pending` (it is going on, or stalls).
 */
type Outcome = 'pending' | 'complete' | 'cut' | 'aborted';

/** What the provider knows of one request, filled in as it goes on; a bill can be compared with it. */
export interface ServedRequest {
  method: string;
  path: string;
  /** With its question mark; empty: there was none. */
  query: string;
  headers: IncomingHttpHeaders;
  /** The body as it arrived. */
  body: Buffer;
  /** null: a path that is no completion, though it may be one that counts or embeds. */
  dialect: FakeDialect | null;
  model: string | null;
  /** The body asked for a stream. */
  isStream: boolean;
  /** On the clock of `performance.now()`, like every time here. */
  receivedAtMs: number;
  /** The status sent; null while none is. */
  status: number | null;
  /** Bytes of the body handed to the kernel, headers and chunk framing aside. */
  bytesSent: number;
  /** Words of a generated answer of which every byte was sent. */
  outputTokensSent: number;
  /** What was reported in bytes that were sent; null: nothing yet. */
  usage: TokenUsage | null;
  outcome: Outcome;
  /** When the client was seen to be gone; null: it stayed. */
  abortedAtMs: number | null;
  /** Settles when the request is over in whatever way. */
  finished: Promise<void>;
}
