import type { JsonObject } from './json/parse-object.ts';
import type { EventRules } from './sse/clean-events.ts';
import { REPEATED_MEMBERS } from './sse/repeated-members.ts';
import type { UsageReport } from './usage/usage-report.ts';

/** How the tap reads the events of one dialect. */
export interface StreamRules extends EventRules {
  /** Finds the members that the tap inspects: made by {@link createKeyPattern}. */
  keys: RegExp;
  /** True: text of the model is in members of the event itself; what has their names inside of it repeats the request. */
  hasTopText?: boolean;
  /** Inspects one parsed event. @param name of the event; null: it has none */
  readEvent(event: JsonObject, known: UsageReport | null, name: string | null): EventFacts;
  /**
   * Finds the dialect's terminator among whole events.
   * @param events one character for each byte (latin1)
   * @returns the offset of a line of the first event that is one; -1: there is none
   */
  findTerminator(events: string): number;
  /** True if a stream that ended without the terminator is complete. */
  endsWell(lastEvents: string): boolean;
  /** Finds the first event of a response; its group is set if it may be the first. Absent: any event may be. */
  start?: RegExp;
  /** The type of the event that repeats an error and ends the stream: some clients read only this one. */
  afterError?: string;
  /** Added to a complete stream that lacks it; absent: a stream without its terminator is not complete. */
  terminator?: string;
}

export interface EventFacts {
  report: UsageReport | null;
  /** The report covers the whole response. */
  isFinal: boolean;
  isError: boolean;
  hide: boolean;
  /** It is the dialect's terminator. */
  isEnd?: boolean;
  /** Items that are repeated as a whole, of a response that may have lacked deltas; absent: none. */
  items?: { from: 'item' | 'response'; output: unknown[] };
}

/** @param line its match begins with the line end before the line @returns the offset of the line; -1: none */
export function findLine(events: string, line: RegExp): number {
  const found = line.exec(events);
  if (found === null) return -1;
  return found[0].startsWith('\n') ? found.index + 1 : found.index;
}

/** The name of an event that must be parsed, as its data may not say that it is an error. */
const ERROR_NAME = String.raw`(?:^|\n)event: ?(error|response\.failed)\r?\n`;

/**
 * One pattern for all that the tap searches for, since separate searches take several times as long.
 * @param markers members of events that must be parsed, and values of their members; dots are escaped
 * @param textKeys members whose strings carry the model's output
 * @param skipKeys members whose values hold text that the model did not write: results of tools, citations, repetitions of
 *   the response; repetitions of the request are skipped in every dialect
 * @param alternatives members that may carry the same text: the one with most of it counts
 */
export function createKeyPattern(
  markers: readonly string[],
  textKeys: readonly string[],
  skipKeys: readonly string[],
  alternatives: readonly string[] = [],
): RegExp {
  const [marker, skip, alternative] = [markers, [...skipKeys, ...REPEATED_MEMBERS], alternatives].map(
    (keys) =>
      // No key is empty.
      keys.length === 0 ? '(?!)' : keys.join('|'),
  );
  const text = textKeys.join('|') || '(?!)';
  return new RegExp(`"(?:(${marker})|(${skip})|(${alternative})|${text})"|${ERROR_NAME}`, 'g');
}
