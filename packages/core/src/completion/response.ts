import type { TokenUsage } from '../money/money.ts';
import type { AssistantPart } from './content.ts';

/** Why a model stopped. */
export type FinishReason =
  /** It had said what it wanted to say. */
  | { type: 'stop' }
  | { type: 'stop_sequence'; sequence: string | null }
  | { type: 'length' }
  | { type: 'tool_calls' }
  /** A filter of the provider took the answer away. */
  | { type: 'content_filter' }
  | { type: 'refusal' }
  /** The provider wants the turn back to go on with it. */
  | { type: 'pause' }
  /** The conversation does not fit the model's context. */
  | { type: 'context_length' };

/** Usage with the details that some dialects show; the classes of `TokenUsage` are what is billed. */
export interface CompletionUsage extends TokenUsage {
  /** Part of `outputTokens`; null: not told. */
  reasoningTokens: number | null;
}

/** How likely a token was, in the place where it might have stood. */
export interface TokenChance {
  token: string;
  /** The natural logarithm of its probability. */
  logprob: number;
  /** Its UTF-8, of which a token can be a part alone; null: not told. */
  bytes: number[] | null;
}

/** The chance of a token of the text, and of the likeliest ones in its place. */
export interface TokenLogprob extends TokenChance {
  alternatives: TokenChance[];
}

/** One answer of a completion. */
export interface CompletionChoice {
  content: AssistantPart[];
  finish: FinishReason;
  /** Of the tokens of all its text, in order; left out where nobody asked for them. */
  logprobs?: TokenLogprob[];
}

/** A whole completion. */
export interface CompletionResponse {
  /** As the provider named it. */
  id: string;
  model: string;
  /** Seconds since the Unix epoch; null: not told. */
  createdAt: number | null;
  choices: CompletionChoice[];
  /** null: the provider reported none. */
  usage: CompletionUsage | null;
  serviceTier: string | null;
}
