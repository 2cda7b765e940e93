import { isMessagesError } from './anthropic-messages/is-error.ts';
import type { JsonObject } from './json/parse-object.ts';
import { isChatError } from './openai-chat/is-error.ts';
import { isResponsesError } from './openai-responses/is-error.ts';

/** True for a chat completion, which has choices. */
export function isChatCompletion(body: JsonObject): boolean {
  const { choices } = body;
  return Array.isArray(choices) && choices.length > 0 && !isChatError(body);
}

/** True for a message of Anthropic's. */
export function isMessage(body: JsonObject): boolean {
  return Array.isArray(body['content']) && !isMessagesError(body);
}

/** True for a response of OpenAI's that did not fail. */
export function isResponse(body: JsonObject): boolean {
  return Array.isArray(body['output']) && !isResponsesError(body);
}
