import type { TokenUsage } from '@tollgate/core/money/money';
import type { JsonObject } from '../json/parse-object.ts';

/** A provider's usage report of one completion, as far as it can be read. */
export interface UsageReport {
  /** Counts that were not reported are 0. */
  usage: TokenUsage;
  /** Part of the output; null: not reported. */
  reasoningTokens: number | null;
  /** True: an input count was read. */
  hasInput: boolean;
  hasOutput: boolean;
  /** False: a count was rounded or unreadable. */
  isExact: boolean;
  /** True: an event of the stream reported less output than one before it. */
  hasFallen?: boolean;
  /** All tokens together, if the input or the output was not reported; null: not reported either. */
  totalTokens?: number | null;
  /** What each choice reported, by its index, if the usage is in the choices; absent: it is not. */
  byChoice?: Readonly<Record<number, JsonObject>>;
  /** The provider's own object; of a stream that reports in parts, all parts merged. */
  raw: JsonObject;
}
