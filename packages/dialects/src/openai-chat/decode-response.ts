import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionChoice, CompletionResponse } from '@tollgate/core/completion/response';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeSearchResults } from './decode-annotations.ts';
import { decodeAssistantParts } from './decode-assistant.ts';
import { FieldReader } from '../json/field-reader.ts';
import { decodeFinishReason } from './finish-reason.ts';
import { getCompletionUsage } from '../usage/completion-usage.ts';
import { decodeOpenAiUsage } from './decode-usage.ts';
import { decodeChoiceLogprobs } from './logprobs.ts';
import { nameCall } from './name-call.ts';

/**
 * Reads a chat completion (https://platform.openai.com/docs/api-reference/chat/object), as leniently as its many
 * providers write it: unreadable members are left out.
 * @returns null if it holds no choice with a message
 */
export function decodeOpenAiChatResponse(body: JsonObject): CompletionResponse | null {
  const given: unknown[] = Array.isArray(body['choices']) ? body['choices'] : [];
  const id = asString(body['id']);
  const choices = given
    .map(asObject)
    .filter((choice) => choice !== null)
    .map((choice, place) => ({ choice, index: getIndex(choice, place) }))
    .toSorted((a, b) => a.index - b.index)
    .flatMap(({ choice, index }) => decodeChoice(choice, { responseId: id, index }) ?? []);
  const [first] = choices;
  if (first === undefined) return null;
  citeSearchResults(first.content, body);
  return {
    id,
    model: asString(body['model']),
    createdAt: getCreatedAt(body),
    choices,
    usage: getCompletionUsage(decodeOpenAiUsage(body)),
    serviceTier: typeof body['service_tier'] === 'string' ? body['service_tier'] : null,
  };
}

function getIndex(choice: JsonObject, place: number): number {
  return typeof choice['index'] === 'number' ? choice['index'] : place;
}

function decodeChoice(
  choice: JsonObject,
  at: { responseId: string; index: number },
): CompletionChoice | null {
  // Azure leaves the message of a filtered answer out.
  const isFiltered = choice['finish_reason'] === 'content_filter';
  const message = asObject(choice['message']) ?? (isFiltered ? {} : null);
  if (message === null) return null;
  const content = decodeAssistantParts(message, {
    at: '',
    reader: new FieldReader(),
    ids: {
      missing: (call) => nameCall(at.responseId, at.index, call),
      legacy: () => nameCall(at.responseId, at.index, 0),
    },
  });
  const finish = decodeFinishReason(choice, {
    hasCalls: content.some((part) => part.type === 'tool_call'),
    hasRefusal: content.some((part) => part.type === 'refusal'),
  });
  const logprobs = decodeChoiceLogprobs(choice);
  return { content, finish, ...(logprobs.length === 0 ? {} : { logprobs }) };
}

/** Perplexity's sources are listed next to the choices, for the whole of the text. */
function citeSearchResults(content: readonly AssistantPart[], body: JsonObject): void {
  const text = content.find((part) => part.type === 'text');
  if (text?.type === 'text' && text.citations.length === 0) text.citations = decodeSearchResults(body);
}

/** Some providers send 0 for an unknown time. */
export function getCreatedAt(body: JsonObject): number | null {
  const created = body['created'];
  return typeof created === 'number' && created > 0 ? Math.floor(created) : null;
}

function asString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
