import type { IncomingHttpHeaders } from 'node:http';
import type { TokenUsage } from '@tollgate/core/money/money';
import type { FakeDialect } from './script.ts';

/**
 * How a request ended: `complete` (the whole body was sent), `cut` (a script broke it off), `aborted` (the client
 * disconnected first), `pending` (in progress or stalled).
 */
type Outcome = 'pending' | 'complete' | 'cut' | 'aborted';

/** The provider's record of one request, updated during it; bills can be compared with it. */
export interface ServedRequest {
  method: string;
  path: string;
  /** With its question mark; empty: none. */
  query: string;
  headers: IncomingHttpHeaders;
  /** The body as it arrived. */
  body: Buffer;
  /** null: not a completion, but possibly token counting or embeddings. */
  dialect: FakeDialect | null;
  model: string | null;
  /** The request enabled streaming. */
  isStream: boolean;
  /** By `performance.now()`, like all times here. */
  receivedAtMs: number;
  /** The sent status; null: none yet. */
  status: number | null;
  /** Body bytes passed to the kernel, without headers and chunk framing. */
  bytesSent: number;
  /** Completely sent words of a generated response. */
  outputTokensSent: number;
  /** Usage reported in sent bytes; null: none yet. */
  usage: TokenUsage | null;
  outcome: Outcome;
  /** When the client disconnected; null: it stayed. */
  abortedAtMs: number | null;
  /** Settles when the request ends in any way. */
  finished: Promise<void>;
}
