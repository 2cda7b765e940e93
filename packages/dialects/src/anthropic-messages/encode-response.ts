import type { CompletionResponse } from '@tollgate/core/completion/response';
import type { AnswerContext } from '../answer-context.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeAnswerPart } from './encode-answer-part.ts';
import { encodeFinish } from './encode-finish.ts';
import { encodeMessageUsage } from './encode-usage.ts';
import { toCallId, toMessageId } from './message-id.ts';
import { expectsReasoning, placeReasoning } from './unrequested-reasoning.ts';

const UNREPORTED = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: null,
  cacheWrite1hTokens: 0,
};

/**
 * Writes a whole message. The dialect has room for one answer: others are left out, as its requests cannot request more.
 * Usage that was not reported is written as zeros; a caller with an estimate puts it into the response.
 */
export function encodeAnthropicResponse(response: CompletionResponse, context: AnswerContext): JsonObject {
  const [choice] = response.choices;
  const given = choice?.content ?? [];
  const content = expectsReasoning(context) ? given : placeReasoning(given);
  const blocks = content
    .map((part, index) =>
      encodeAnswerPart(
        part.type === 'tool_call' ? { ...part, id: toCallId(part.id, context.requestId, index) } : part,
      ),
    )
    .filter((block) => block !== null);
  return {
    id: toMessageId(response.id, context.requestId),
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: blocks,
    ...encodeFinish(choice?.finish ?? { type: 'stop' }, {
      hasToolCalls: content.some(({ type }) => type === 'tool_call'),
      hasRefusal: content.some(({ type }) => type === 'refusal'),
    }),
    usage: encodeMessageUsage(response.usage ?? UNREPORTED, response.serviceTier),
  };
}
