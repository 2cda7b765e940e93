import type { Buffer } from 'node:buffer';
import { endOfString } from './end-of-string.ts';

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Finds the end of a JSON value.
 * @param start the offset of its first byte
 * @returns the offset behind a string, an array or an object; `start` for any other value, which holds no text
 */
export function endOfValue(json: Buffer, start: number): number {
  const first = json[start];
  if (first === QUOTE) return endOfString(json, start);
  if (first !== OPEN_BRACKET && first !== OPEN_BRACE) return start;
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = endOfString(json, at);
      continue;
    }
    if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth += 1;
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  return json.length;
}
