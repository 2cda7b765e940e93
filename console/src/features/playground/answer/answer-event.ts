import type { TokenUsage } from '@tollgate/core/money/money';

/** A stream event, independent of the dialect. */
export type AnswerEvent =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'tool_call'; index: number; id: string; name: string }
  | { kind: 'tool_arguments'; index: number; text: string }
  | { kind: 'usage'; usage: TokenUsage }
  | { kind: 'finish'; reason: string }
  | { kind: 'error'; message: string; body: string }
  /** Regular end of the stream; a stream without it was interrupted. */
  | { kind: 'end' };
