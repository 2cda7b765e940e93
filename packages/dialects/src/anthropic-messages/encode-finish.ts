import type { FinishReason } from '@tollgate/core/completion/response';
import type { JsonObject } from '../json/parse-object.ts';

export interface AnswerShape {
  hasToolCalls: boolean;
  hasRefusal: boolean;
}

/**
 * Writes `stop_reason`, `stop_sequence` and `stop_details`. Some providers end with `stop` what ends with tool calls or a
 * refusal: clients of this dialect go by the reason, so it is derived from the content.
 */
export function encodeFinish(finish: FinishReason, shape: AnswerShape): JsonObject {
  const reason = getReason(finish, shape);
  const sequence = finish.type === 'stop_sequence' ? finish.sequence : null;
  const details = reason === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null;
  return { stop_reason: reason, stop_sequence: sequence, stop_details: details };
}

function getReason(finish: FinishReason, shape: AnswerShape): string {
  switch (finish.type) {
    case 'stop':
      if (shape.hasToolCalls) return 'tool_use';
      return shape.hasRefusal ? 'refusal' : 'end_turn';
    case 'stop_sequence':
      return 'stop_sequence';
    case 'length':
      return 'max_tokens';
    case 'tool_calls':
      return shape.hasToolCalls ? 'tool_use' : 'end_turn';
    case 'content_filter':
    case 'refusal':
      return 'refusal';
    case 'pause':
      return 'pause_turn';
    case 'context_length':
      return 'model_context_window_exceeded';
  }
}
