import type { Buffer } from 'node:buffer';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Strings up to this length are walked: a native search is faster only beyond. */
const SHORT_BYTES = 48;
/** Walked behind an escaped quote, as more of them are likely to follow. */
const ESCAPED_BYTES = 96;

/**
 * Finds the end of a JSON string.
 * @param start the offset of its opening quote
 * @returns the offset after its closing quote, or the length of the bytes if it has none
 */
export function endOfString(json: Buffer, start: number): number {
  const { length } = json;
  let at = start + 1;
  let walkTo = Math.min(start + SHORT_BYTES, length);
  for (;;) {
    while (at < walkTo) {
      const byte = json[at];
      if (byte === QUOTE) return at + 1;
      at += byte === BACKSLASH ? 2 : 1;
    }
    if (at >= length) return length;
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) return length;
    let first = quote;
    while (first > at && json[first - 1] === BACKSLASH) first -= 1;
    if ((quote - first) % 2 === 0) return quote + 1;
    at = quote + 1;
    walkTo = Math.min(at + ESCAPED_BYTES, length);
  }
}
