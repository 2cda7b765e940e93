import type { Buffer } from 'node:buffer';

const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const [LOWER_D, LOWER_F] = [0x64, 0x66];
const ESCAPE_LENGTH = 6;
/** Words like `could`: with more of them, a walk over all bytes costs less. */
const MAX_LOOKS = 1_000;

/**
 * Writes `\ufffd` over every escape of half a surrogate pair (`"\ud83d"` without its second half), in place. Readers
 * disagree on such halves: JavaScript and Python keep them, Go replaces them, Rust refuses the body.
 * @param json JSON text; the escapes in it keep their length
 */
export function replaceLoneSurrogates(json: Buffer): void {
  const first = json.indexOf(BACKSLASH);
  if (first < 0 || !mayEscapeSurrogates(json, first)) return;
  let at = first;
  while (at < json.length) {
    if (json[at] !== BACKSLASH) {
      at += 1;
      continue;
    }
    const unit = escapedUnit(json, at);
    if (unit < 0xd800 || unit > 0xdfff) {
      // Of `\\` the second is no start of an escape.
      at += 2;
      continue;
    }
    const next = escapedUnit(json, at + ESCAPE_LENGTH);
    const isPair = unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff;
    if (!isPair) writeReplacement(json, at + 2);
    at += isPair ? 2 * ESCAPE_LENGTH : ESCAPE_LENGTH;
  }
}

/** A fast pre-check, as most bodies have none. A search for the backslash too is slow: bodies have many. */
function mayEscapeSurrogates(json: Buffer, from: number): boolean {
  return ['ud', 'uD'].some((mark) => {
    let at = json.indexOf(mark, from, 'latin1');
    for (let found = 0; at >= 0; found += 1) {
      if (json[at - 1] === BACKSLASH || found === MAX_LOOKS) return true;
      at = json.indexOf(mark, at + 2, 'latin1');
    }
    return false;
  });
}

/** Writes `fffd`. A native call for each half would take 20 ms for a body that is read on the event loop. */
function writeReplacement(json: Buffer, at: number): void {
  json[at] = LOWER_F;
  json[at + 1] = LOWER_F;
  json[at + 2] = LOWER_F;
  json[at + 3] = LOWER_D;
}

/** @returns the code unit of a `\uXXXX` at an offset; -1 if the offset has none */
function escapedUnit(json: Buffer, at: number): number {
  if (json[at] !== BACKSLASH || json[at + 1] !== LOWER_U) return -1;
  let unit = 0;
  for (let digit = at + 2; digit < at + ESCAPE_LENGTH; digit += 1) {
    const value = hexValue(json[digit] ?? 0);
    if (value < 0) return -1;
    unit = unit * 16 + value;
  }
  return unit;
}

function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
