import { Buffer } from 'node:buffer';
import { endOfString } from './end-of-string.ts';

const QUOTE = 0x22;
const COLON = 0x3a;
const BLANKS: ReadonlySet<number | undefined> = new Set(Buffer.from(' \t\r\n'));

/**
 * True if an object of a JSON text has two members of one name.
 * @param value the text, parsed
 */
export function hasRepeatedMember(json: string, value: unknown): boolean {
  const bytes = Buffer.from(json);
  let names = 0;
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at)) {
    at = endOfString(bytes, at);
    while (BLANKS.has(bytes[at])) at += 1;
    if (bytes[at] === COLON) names += 1;
  }
  return names > countMembers(value);
}

/** Without recursion: a parsed value may be nested deeper than the stack. */
function countMembers(value: unknown): number {
  let count = 0;
  const left = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const values: unknown[] = Object.values(next);
    if (!Array.isArray(next)) count += values.length;
    for (const each of values) left.push(each);
  }
  return count;
}
