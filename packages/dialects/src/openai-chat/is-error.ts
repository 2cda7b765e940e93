import { asObject, type JsonObject } from '../json/parse-object.ts';
import { holdsError, saysError } from '../says-error.ts';

/**
 * True for an error instead of, or with, a chat completion or a chunk: one failed choice makes all of it an error.
 * @param name of the event; null: it has none, or the body is whole
 */
export function isChatError(body: JsonObject, name: string | null = null): boolean {
  return saysError(body, name) || getFailedChoice(body) !== null;
}

/** OpenRouter reports a provider that was interrupted in the choice: https://openrouter.ai/docs/api-reference/errors */
export function getFailedChoice({ choices }: JsonObject): JsonObject | null {
  if (!Array.isArray(choices)) return null;
  for (const each of choices) {
    const choice = asObject(each);
    if (choice !== null && (choice['finish_reason'] === 'error' || holdsError(choice))) return choice;
  }
  return null;
}
