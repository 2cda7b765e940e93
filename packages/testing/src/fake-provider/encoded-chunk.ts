import type { TokenUsage } from '@tollgate/core/money/money';

/**
 * A piece of a body as a provider would write it, with the words and usage known afterwards, so that the record can count
 * sent data.
 */
export interface EncodedChunk {
  bytes: Buffer;
  /** Words of the response completed by this piece. */
  outputTokens: number;
  /** The usage known after this piece; null: nothing new. */
  usage: TokenUsage | null;
}
