import type { FinishReason } from '@tollgate/core/completion/response';

/** Reads `stop_reason` and `stop_sequence` (https://docs.anthropic.com/en/api/handling-stop-reasons). */
export function decodeStopReason(reason: unknown, sequence: unknown): FinishReason {
  switch (reason) {
    case 'max_tokens':
      return { type: 'length' };
    case 'tool_use':
      return { type: 'tool_calls' };
    case 'stop_sequence':
      return { type: 'stop_sequence', sequence: typeof sequence === 'string' ? sequence : null };
    case 'refusal':
      return { type: 'refusal' };
    case 'pause_turn':
      return { type: 'pause' };
    case 'model_context_window_exceeded':
      return { type: 'context_length' };
    default:
      return { type: 'stop' };
  }
}
