import type { Buffer } from 'node:buffer';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Finds the end of a JSON string.
 * @param start the offset of its opening quote
 * @returns the offset behind its closing quote, or the length of the bytes where there is none
 */
export function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length) {
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) return json.length;
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
  return json.length;
}
