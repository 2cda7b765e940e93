import type { AssistantPart } from '@tollgate/core/completion/content';
import type { Message } from '@tollgate/core/completion/request';
import { deny, type GatewayError } from '@tollgate/core/errors/errors';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { countValues } from './json/count-values.ts';

/**
 * True if the arguments of all calls have too many values in total. Some dialects have arguments as objects instead of
 * text, and a thread that runs out of memory while it parses them ends the process.
 */
export function haveManyValues(parts: readonly AssistantPart[]): boolean {
  const most = BODY_LIMITS.maxArgumentValues;
  const texts = parts.flatMap((part) => (part.type === 'tool_call' ? [part.arguments] : []));
  // A value takes a character at least.
  if (texts.reduce((sum, { length }) => sum + length, 0) <= most) return false;
  let count = 0;
  for (const text of texts) if ((count += countValues(text, most - count)) > most) return true;
  return false;
}

/** @returns the error of a request whose calls have too many values in their arguments; null: they do not */
export function checkArguments(messages: readonly Message[]): GatewayError | null {
  if (!haveManyValues(messages.flatMap((message) => (message.role === 'assistant' ? message.content : []))))
    return null;
  const most = BODY_LIMITS.maxArgumentValues;
  return deny('invalid_request', `The arguments of tool calls have more than ${most} values in total.`).error;
}
