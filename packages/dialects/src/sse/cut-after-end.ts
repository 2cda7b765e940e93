import { Buffer } from 'node:buffer';
import { parseJsonObject } from '../json/parse-object.ts';
import type { StreamRules } from '../stream-rules.ts';
import { endOfEvent } from './event-end.ts';
import { readEvents } from './read-events.ts';

/** Without one of these, an event is neither an error nor the end of a response in any dialect. */
const END_WORD = /"error"|"failed"|event:|response\.|message_stop|\\u00/;
/** The same more exactly, since events of two dialects have names. Names may be escaped. */
const MAY_END =
  /"error"(?!\s*:\s*null\b)|event:[^a-z\r\n]*error|"failed"|response\.(?:completed|incomplete|failed)|message_stop|\\u00(?:2e|5f|[67])/i;

/**
 * Removes the events behind the end of a response, its terminator or its error. A client that reads on would take them
 * as a part of the response.
 * @param text whole events, one character for each byte
 * @param terminatorAt what `findTerminator` says of the text
 */
export function cutAfterEnd(
  text: string,
  rules: StreamRules,
  terminatorAt = rules.findTerminator(text),
): string {
  // A response that came at once has all its events here.
  if (terminatorAt >= 0 && !mayEnd(text, terminatorAt)) return text.slice(0, endOfEvent(text, terminatorAt));
  for (const { start, end, name, data } of readEvents(text)) {
    if (rules.findTerminator(text.slice(start, end)) >= 0) return text.slice(0, end);
    const event = parseJsonObject(data);
    const facts = event === null ? null : rules.readEvent(event, null, name);
    if (facts?.isEnd === true || facts?.isError === true) return text.slice(0, end);
  }
  return text;
}

/** @param end of the events that are searched */
function mayEnd(text: string, end: number): boolean {
  // Searched as a whole: a search in a slice takes several times as long.
  const at = text.search(END_WORD);
  return at >= 0 && at < end && MAY_END.test(text.slice(0, end));
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
