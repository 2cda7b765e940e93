import type { Buffer } from 'node:buffer';

/** Maximum heap use of values during `JSON.parse`, in bytes, by the character before or after them. */
const OPENING_BYTES = 190;
const COMMA_BYTES = 40;
/** For members of an object with all different names. */
const COLON_BYTES = 180;
/** For one byte of text. */
const TEXT_FACTOR = 2;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COSTS = new Uint8Array(256);
for (const sign of '[{') COSTS[sign.charCodeAt(0)] = OPENING_BYTES;
COSTS[','.charCodeAt(0)] = COMMA_BYTES;
COSTS[':'.charCodeAt(0)] = COLON_BYTES;

/**
 * Maximum memory of parsing a JSON text, in bytes: a thread that runs out of heap in `JSON.parse` ends the whole process,
 * since it cannot be interrupted there.
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

/** @returns the index of the closing quote, or the end of the text */
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
