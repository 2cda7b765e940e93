import type { Citation, OpaquePart } from './content.ts';
import type { CompletionUsage, FinishReason, TokenLogprob } from './response.ts';

/** Start of a block in a streamed response. */
export type BlockStart =
  | { type: 'text' }
  | { type: 'thinking' }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'refusal' }
  | { type: 'tool_call'; id: string; name: string }
  | { type: 'opaque'; part: OpaquePart };

/**
 * One event of a streamed completion. Blocks of a choice are numbered from 0 in opening order. Several can
 * be open at the same time (parallel tool calls); deltas have the block number. All blocks close before
 * `finish`. `end` is last and only follows a successful stream.
 */
export type CompletionEvent =
  | { type: 'start'; id: string; model: string; createdAt: number | null; usage: CompletionUsage | null }
  | { type: 'block_start'; choice: number; block: number; start: BlockStart }
  | { type: 'text_delta'; choice: number; block: number; text: string }
  /** For the tokens of the next text in the choice. */
  | { type: 'logprobs'; choice: number; tokens: TokenLogprob[] }
  | { type: 'thinking_delta'; choice: number; block: number; text: string }
  | { type: 'signature'; choice: number; block: number; signature: string }
  | { type: 'arguments_delta'; choice: number; block: number; json: string }
  | { type: 'citation'; choice: number; block: number; citation: Citation }
  | { type: 'block_end'; choice: number; block: number }
  | { type: 'finish'; choice: number; reason: FinishReason }
  /** Usage so far; replaces the previous one. */
  | { type: 'usage'; usage: CompletionUsage }
  | { type: 'ping' }
  /** The provider reports a failure; then the connection closes. `code` is the provider's own; null: it gives none. */
  | { type: 'error'; kind: string; message: string; code: string | null }
  | { type: 'end' };
