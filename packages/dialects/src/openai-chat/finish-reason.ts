import type { FinishReason } from '@tollgate/core/completion/response';
import type { JsonObject } from '../json/parse-object.ts';

/** The kinds of content in an answer that explain why it ended. */
export interface AnswerKinds {
  hasCalls: boolean;
  hasRefusal: boolean;
  /** The call is written as `function_call`; absent: false. */
  isLegacy?: boolean;
}

/**
 * Reads `finish_reason` of a choice. OpenAI says `stop` after a forced call and after a refusal; the content
 * of the answer is more exact. vLLM names the stop sequence in `stop_reason`.
 */
export function decodeFinishReason(choice: JsonObject, { hasCalls, hasRefusal }: AnswerKinds): FinishReason {
  switch (choice['finish_reason']) {
    case 'length':
    // DeepSeek: the provider ran out of resources.
    case 'insufficient_system_resource':
      return { type: 'length' };
    // Mistral.
    case 'model_length':
      return { type: 'context_length' };
    case 'content_filter':
      return { type: 'content_filter' };
    case 'tool_calls':
    case 'function_call':
      return { type: 'tool_calls' };
    default: {
      if (hasCalls) return { type: 'tool_calls' };
      if (hasRefusal) return { type: 'refusal' };
      const sequence = choice['stop_reason'];
      return typeof sequence === 'string' && sequence !== ''
        ? { type: 'stop_sequence', sequence }
        : { type: 'stop' };
    }
  }
}

/**
 * Writes `finish_reason`, and with it `stop_reason` if a stop sequence is known, which OpenAI has no place for.
 * Clients that read `tool_calls` look for a call, so it is written only if the answer has one.
 */
export function encodeFinishReason(
  finish: FinishReason,
  { hasCalls, hasRefusal, isLegacy }: AnswerKinds,
): JsonObject {
  switch (finish.type) {
    case 'stop':
    case 'pause':
      return { finish_reason: 'stop' };
    case 'stop_sequence':
      return {
        finish_reason: 'stop',
        ...(finish.sequence === null ? {} : { stop_reason: finish.sequence }),
      };
    case 'length':
    case 'context_length':
      return { finish_reason: 'length' };
    case 'tool_calls':
      if (!hasCalls) return { finish_reason: 'stop' };
      return { finish_reason: isLegacy === true ? 'function_call' : 'tool_calls' };
    case 'content_filter':
      return { finish_reason: 'content_filter' };
    case 'refusal':
      // With its text it is a refusal of the model; without, the answer was taken away.
      return { finish_reason: hasRefusal ? 'stop' : 'content_filter' };
  }
}
