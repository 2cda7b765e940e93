import type { TokenUsage } from '@tollgate/core/money/money';

/**
 * A piece of a body, as a provider would write it, and what a reader of it has learnt by then, so that the
 * record can count what was sent.
 */
export interface EncodedChunk {
  bytes: Buffer;
  /** Words of the answer that this piece completes. */
  outputTokens: number;
  /** The usage known after this piece; null: nothing new. */
  usage: TokenUsage | null;
}
