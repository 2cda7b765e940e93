import type { TokenUsage } from '../money/money.ts';
import type { AssistantPart } from './content.ts';

/** Finish reason. */
export type FinishReason =
  /** Natural end of the output. */
  | { type: 'stop' }
  | { type: 'stop_sequence'; sequence: string | null }
  | { type: 'length' }
  | { type: 'tool_calls' }
  /** Blocked by the provider's content filter. */
  | { type: 'content_filter' }
  | { type: 'refusal' }
  /** The provider paused the turn and continues it if it is sent back. */
  | { type: 'pause' }
  /** The conversation exceeds the model's context. */
  | { type: 'context_length' };

/** Usage with details for some dialects. Billing uses the classes of `TokenUsage`. */
export interface CompletionUsage extends TokenUsage {
  /** Included in `outputTokens`; null: not reported. */
  reasoningTokens: number | null;
}

/** Probability of a token at one position. */
export interface TokenChance {
  token: string;
  /** Natural logarithm of the probability. */
  logprob: number;
  /** Its UTF-8 bytes, possibly part of a character; null: not reported. */
  bytes: number[] | null;
}

/** Probability of an output token and of the most likely alternatives. */
export interface TokenLogprob extends TokenChance {
  alternatives: TokenChance[];
}

/** One choice of a completion. */
export interface CompletionChoice {
  content: AssistantPart[];
  finish: FinishReason;
  /** For all text tokens in order; absent unless requested. */
  logprobs?: TokenLogprob[];
}

/** A complete response. */
export interface CompletionResponse {
  /** Name from the provider. */
  id: string;
  model: string;
  /** Seconds since the Unix epoch; null: not reported. */
  createdAt: number | null;
  choices: CompletionChoice[];
  /** null: not reported by the provider. */
  usage: CompletionUsage | null;
  serviceTier: string | null;
}
