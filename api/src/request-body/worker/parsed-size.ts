import type { Buffer } from 'node:buffer';

/** What values take of a heap at most while `JSON.parse` makes them, in bytes, by the sign before or after them. */
const OPENING_BYTES = 100;
const COMMA_BYTES = 40;
/** Members of an object whose names are all different. */
const COLON_BYTES = 120;
/** Of one byte of text. */
const TEXT_FACTOR = 2;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COSTS = new Uint8Array(256);
for (const sign of '[{') COSTS[sign.charCodeAt(0)] = OPENING_BYTES;
COSTS[','.charCodeAt(0)] = COMMA_BYTES;
COSTS[':'.charCodeAt(0)] = COLON_BYTES;

/**
 * The memory that a JSON text takes at most when it is parsed, in bytes: a thread that runs out of its heap in `JSON.parse`
 * ends the whole process, since nothing can interrupt it there.
 */
export function parsedSize(json: Buffer): number {
  let bytes = json.length * TEXT_FACTOR;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at] ?? 0;
    if (sign === QUOTE) at = endOfString(json, at);
    else bytes += COSTS[sign] ?? 0;
  }
  return bytes;
}

/** @returns where its closing quote is, or the end of the text */
function endOfString(json: Buffer, start: number): number {
  let at = start;
  for (;;) {
    at = json.indexOf(QUOTE, at + 1);
    if (at < 0) return json.length;
    let backslashes = 0;
    while (json[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}
