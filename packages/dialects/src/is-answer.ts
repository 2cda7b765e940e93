import { asObject, type JsonObject } from './json/parse-object.ts';
import { measureAnswer } from './usage/measure-answer.ts';
import { TextMeter } from './usage/text-meter.ts';

/** True for a chat completion; a body without choices, or with nothing but an error in them, is none. */
export function isChatCompletion(body: JsonObject): boolean {
  const choices: unknown[] = Array.isArray(body['choices']) ? body['choices'] : [];
  if (choices.length === 0) return false;
  const allFailed = choices.every((choice) => asObject(choice)?.['finish_reason'] === 'error');
  return !(allFailed || hasError(body)) || hasContent(body);
}

/** True for a message of Anthropic's. */
export function isMessage(body: JsonObject): boolean {
  if (!Array.isArray(body['content']) || body['type'] === 'error') return false;
  return !hasError(body) || hasContent(body);
}

/** True for a response of OpenAI's that did not fail. */
export function isResponse(body: JsonObject): boolean {
  if (!Array.isArray(body['output']) || body['status'] === 'failed') return false;
  return !hasError(body) || hasContent(body);
}

function hasError({ error }: JsonObject): boolean {
  return error !== undefined && error !== null && error !== false && error !== '';
}

function hasContent(body: JsonObject): boolean {
  const meter = new TextMeter();
  measureAnswer(body, meter);
  return meter.pieces > 0;
}
