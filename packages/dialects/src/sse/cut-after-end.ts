import { Buffer } from 'node:buffer';
import { parseJsonObject } from '../json/parse-object.ts';
import type { StreamRules } from '../stream-rules.ts';
import { readEvents } from './read-events.ts';

/**
 * Removes the events behind the end of a response, its terminator or its error. A client that reads on would take them
 * as a part of the response.
 * @param text whole events, one character for each byte
 */
export function cutAfterEnd(text: string, rules: StreamRules): string {
  for (const { start, end, name, data } of readEvents(text)) {
    if (rules.isTerminated(text.slice(start, end))) return text.slice(0, end);
    const event = parseJsonObject(data);
    const facts = event === null ? null : rules.readEvent(event, null, name);
    if (facts?.isEnd === true || facts?.isError === true) return text.slice(0, end);
  }
  return text;
}

/**
 * Finds the event that repeats an error.
 * @param text whole events, one character for each byte
 */
export function findRepeatedError(text: string, { afterError }: StreamRules): Buffer | null {
  if (afterError === undefined || !text.includes(afterError)) return null;
  for (const { start, end, data } of readEvents(text))
    if (parseJsonObject(data)?.['type'] === afterError) return Buffer.from(text.slice(start, end), 'latin1');
  return null;
}
