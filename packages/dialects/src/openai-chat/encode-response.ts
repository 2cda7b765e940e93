import type { AssistantPart, ToolCallPart } from '@tollgate/core/completion/content';
import type { CompletionChoice, CompletionResponse } from '@tollgate/core/completion/response';
import type { AnswerContext } from '../answer-context.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { encodeAnnotations } from './encode-annotations.ts';
import { joinReasoning } from './encode-assistant.ts';
import { getCustomNames } from '../portable-tools/chat-custom.ts';
import { encodeAnsweredCall } from './encode-tool-call.ts';
import { encodeOpenAiUsage } from './encode-usage.ts';
import { encodeFinishReason } from './finish-reason.ts';
import { encodeLegacyCall, wantsLegacyCall } from './legacy-call.ts';
import { encodeChoiceLogprobs } from './logprobs.ts';
import { encodeAnsweredDetail } from './reasoning-details.ts';
import { isReasoning } from '../thinking-signature.ts';

/** Writes a chat completion for a caller of this dialect (https://platform.openai.com/docs/api-reference/chat/object). */
export function encodeOpenAiChatResponse(response: CompletionResponse, context: AnswerContext): JsonObject {
  const tier = encodeAnsweredTier(response.serviceTier);
  const callForm = {
    customNames: getCustomNames(context.requestBody),
    isLegacy: wantsLegacyCall(context.requestBody),
  };
  return {
    id: response.id === '' ? context.requestId : response.id,
    object: 'chat.completion',
    created: response.createdAt ?? context.nowSeconds,
    model: context.model,
    choices: response.choices.map((choice, index) => encodeChoice(choice, index, callForm)),
    ...(response.usage === null ? {} : { usage: encodeOpenAiUsage(response.usage) }),
    ...(tier === null ? {} : { service_tier: tier }),
  };
}

/** Anthropic's `standard` is what is called `default` here; its `batch` has no name. */
function encodeAnsweredTier(tier: string | null): string | null {
  if (tier === 'standard') return 'default';
  return tier === 'batch' ? null : tier;
}

/** How the caller expects calls. */
interface CallForm {
  customNames: ReadonlySet<string>;
  /** As `function_call`. */
  isLegacy: boolean;
}

function encodeChoice(
  { content, finish, logprobs }: CompletionChoice,
  index: number,
  form: CallForm,
): JsonObject {
  const kinds = {
    isLegacy: form.isLegacy,
    hasCalls: content.some((part) => part.type === 'tool_call'),
    hasRefusal: content.some((part) => part.type === 'refusal'),
  };
  return {
    index,
    message: encodeMessage(content, form),
    logprobs: encodeChoiceLogprobs(logprobs ?? []),
    ...encodeFinishReason(finish, kinds),
  };
}

function encodeMessage(parts: readonly AssistantPart[], { customNames, isLegacy }: CallForm): JsonObject {
  const calls = parts.filter((part) => part.type === 'tool_call');
  const refusals = parts.filter((part) => part.type === 'refusal');
  const audio = parts.find((part) => part.type === 'opaque' && part.name === 'audio');
  const { content, annotations } = encodeText(parts);
  const reasoning = joinReasoning(parts);
  return {
    role: 'assistant',
    content,
    refusal: refusals.length === 0 ? null : refusals.map(({ text }) => text).join(''),
    ...(annotations.length === 0 ? {} : { annotations }),
    ...(audio?.type === 'opaque' ? { audio: audio.value } : {}),
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(needsDetails(parts) ? { reasoning_details: encodeDetails(parts) } : {}),
    ...(isLegacy ? encodeLegacyCall(calls) : encodeCalls(calls, customNames)),
  };
}

function encodeCalls(calls: readonly ToolCallPart[], customNames: ReadonlySet<string>): JsonObject {
  return calls.length === 0 ? {} : { tool_calls: calls.map((call) => encodeAnsweredCall(call, customNames)) };
}

function encodeDetails(parts: readonly AssistantPart[]): JsonObject[] {
  return parts.flatMap((part, index) => (isReasoning(part) ? [encodeAnsweredDetail(part, index)] : []));
}

/** True if plain `reasoning_content` would lose a signature, hidden reasoning, or the place of the reasoning. */
export function needsDetails(parts: readonly AssistantPart[]): boolean {
  const reasoning = parts.filter(isReasoning);
  const [only] = reasoning;
  if (only === undefined) return false;
  return !(
    reasoning.length === 1 &&
    only.type === 'thinking' &&
    only.signature === null &&
    parts[0] === only
  );
}

/** One string of all the text, with the citations of its stretches; null if there is no text. */
function encodeText(parts: readonly AssistantPart[]): { content: string | null; annotations: JsonObject[] } {
  let content: string | null = null;
  const annotations: JsonObject[] = [];
  for (const part of parts) {
    if (part.type !== 'text') continue;
    const start: number = content?.length ?? 0;
    content = (content ?? '') + part.text;
    annotations.push(...encodeAnnotations(part.citations, { start, end: content.length }));
  }
  return { content, annotations };
}
