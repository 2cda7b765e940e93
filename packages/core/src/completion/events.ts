import type { Citation, OpaquePart } from './content.ts';
import type { CompletionUsage, FinishReason, TokenLogprob } from './response.ts';

/** What opens a block of a streamed answer. */
export type BlockStart =
  | { type: 'text' }
  | { type: 'thinking' }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'refusal' }
  | { type: 'tool_call'; id: string; name: string }
  | { type: 'opaque'; part: OpaquePart };

/**
 * One step of a streamed completion. Blocks of one choice are numbered from 0 in the order in which they open; several may
 * be open at the same time (parallel tool calls), and deltas name theirs. Everything that opens is closed before
 * `finish`; `end` comes last, and only after a stream that ended well.
 */
export type CompletionEvent =
  | { type: 'start'; id: string; model: string; createdAt: number | null; usage: CompletionUsage | null }
  | { type: 'block_start'; choice: number; block: number; start: BlockStart }
  | { type: 'text_delta'; choice: number; block: number; text: string }
  /** Of the tokens of the text that comes next in the choice. */
  | { type: 'logprobs'; choice: number; tokens: TokenLogprob[] }
  | { type: 'thinking_delta'; choice: number; block: number; text: string }
  | { type: 'signature'; choice: number; block: number; signature: string }
  | { type: 'arguments_delta'; choice: number; block: number; json: string }
  | { type: 'citation'; choice: number; block: number; citation: Citation }
  | { type: 'block_end'; choice: number; block: number }
  | { type: 'finish'; choice: number; reason: FinishReason }
  /** Counts so far; each replaces the one before. */
  | { type: 'usage'; usage: CompletionUsage }
  | { type: 'ping' }
  /** The provider says that it failed; nothing but the close of the connection follows. */
  | { type: 'error'; kind: string; message: string }
  | { type: 'end' };
