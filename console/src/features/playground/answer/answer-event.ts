import type { TokenUsage } from '@tollgate/core/money/money';

/** What an event of a stream tells, in neither dialect's words. */
export type AnswerEvent =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'tool_call'; index: number; id: string; name: string }
  | { kind: 'tool_arguments'; index: number; text: string }
  | { kind: 'usage'; usage: TokenUsage }
  | { kind: 'finish'; reason: string }
  | { kind: 'error'; message: string; body: string }
  /** The stream ended as it should; one that ends without has broken off. */
  | { kind: 'end' };
