import type { Buffer } from 'node:buffer';
import { asObject, parseJsonObject, type JsonObject } from '../json/parse-object.ts';

/** Usage is among the last members of an answer; this is more than what follows it in any dialect, with the usage. */
export const MAX_END_BYTES = 64 * 1024;
const USAGE = '"usage"';
/** Attempts to parse, so that an answer full of this name takes no time. */
const MAX_ATTEMPTS = 16;

/**
 * Reads the members of a whole answer from its usage on, without the bytes before.
 * @param end the last bytes of the answer; only the last 64 KiB are read
 * @returns null if its usage is not there, or if the answer is truncated
 */
export function readLastMembers(end: Buffer): JsonObject | null {
  const text = end.toString('utf8', Math.max(0, end.length - MAX_END_BYTES));
  let at = text.length;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && at > 0; attempt += 1) {
    at = text.lastIndexOf(USAGE, at - 1);
    if (at < 0) return null;
    // Inside a string its quotes are escaped, and inside another object there are too many braces behind it.
    const members = parseJsonObject(`{${text.slice(at)}`);
    if (asObject(members?.['usage']) !== null) return members;
  }
  return null;
}
