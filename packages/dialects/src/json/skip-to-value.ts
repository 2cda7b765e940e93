import type { Buffer } from 'node:buffer';

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;

/** @returns the offset of the value that follows a key, past the colon and blanks */
export function skipToValue(json: Buffer, keyEnd: number): number {
  let at = keyEnd;
  for (;;) {
    const byte = json[at];
    if (byte !== COLON && byte !== SPACE && byte !== TAB && byte !== LF && byte !== CR) return at;
    at += 1;
  }
}
