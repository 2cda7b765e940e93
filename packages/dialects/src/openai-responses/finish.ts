import type { AssistantPart } from '@tollgate/core/completion/content';
import type { FinishReason } from '@tollgate/core/completion/response';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/** The kinds of content in an answer that explain why it ended. */
export interface AnswerKinds {
  hasCalls: boolean;
  hasRefusal: boolean;
}

export function getKinds(parts: readonly Pick<AssistantPart, 'type'>[]): AnswerKinds {
  return {
    hasCalls: parts.some((part) => part.type === 'tool_call'),
    hasRefusal: parts.some((part) => part.type === 'refusal'),
  };
}

/** Reads why a response ended: `status` says whether it is whole, its items say the rest. */
export function decodeFinish(response: JsonObject, { hasCalls, hasRefusal }: AnswerKinds): FinishReason {
  if (response['status'] === 'incomplete') {
    const reason = asObject(response['incomplete_details'])?.['reason'];
    return { type: reason === 'content_filter' ? 'content_filter' : 'length' };
  }
  if (hasCalls) return { type: 'tool_calls' };
  return { type: hasRefusal ? 'refusal' : 'stop' };
}

export interface EncodedFinish {
  status: 'completed' | 'incomplete';
  incomplete_details: { reason: 'max_output_tokens' | 'content_filter' } | null;
}

/** Writes `status` and `incomplete_details`. */
export function encodeFinish(finish: FinishReason, { hasRefusal }: AnswerKinds): EncodedFinish {
  switch (finish.type) {
    case 'length':
    case 'context_length':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    case 'content_filter':
      return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    case 'refusal':
      // With its text it is a refusal of the model; without, the answer was taken away.
      return hasRefusal
        ? { status: 'completed', incomplete_details: null }
        : { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    case 'stop':
    case 'stop_sequence':
    case 'tool_calls':
    case 'pause':
      return { status: 'completed', incomplete_details: null };
  }
}
