import { BACKSLASH, ESCAPES, INVALID, LETTER_U, LONE_SURROGATE, QUOTE } from './layout';

/** Why the last text is not valid. */
export let failure: i32 = INVALID;

const SIMPLE = '"\\/bfnrt';

export function prepareTexts(): void {
  for (let at = 0; at < SIMPLE.length; at += 1) store<u8>(ESCAPES + SIMPLE.charCodeAt(at), 1);
}

export function skipSpace(from: usize): usize {
  let at = from;
  while (true) {
    const byte = <u32>load<u8>(at);
    if (byte > 0x20 || (byte != 0x20 && byte != 0x0a && byte != 0x0d && byte != 0x09)) return at;
    at += 1;
  }
}

/** @returns the offset of the closing quote; 0 if the text is not valid */
export function endOfText(start: usize): usize {
  const quote = i8x16.splat(QUOTE as i8);
  const backslash = i8x16.splat(BACKSLASH as i8);
  const space = i8x16.splat(0x20);
  failure = INVALID;
  let at = start;
  while (true) {
    const bytes = v128.load(at);
    const found = i8x16.bitmask(
      v128.or(v128.or(i8x16.eq(bytes, quote), i8x16.eq(bytes, backslash)), i8x16.lt_u(bytes, space)),
    );
    if (found == 0) {
      at += 16;
      continue;
    }
    at += ctz(found);
    const byte = <u32>load<u8>(at);
    if (byte == QUOTE) return at;
    if (byte != BACKSLASH) return 0;
    const letter = <u32>load<u8>(at, 1);
    if (letter != LETTER_U) {
      if (load<u8>(ESCAPES + letter) == 0) return 0;
      at += 2;
      continue;
    }
    const unit = readHex(at + 2);
    if (unit < 0) return 0;
    at += 6;
    if ((unit & 0xf800) != 0xd800) continue;
    // Half of a surrogate pair.
    if (unit >= 0xdc00 || <u32>load<u8>(at) != BACKSLASH || <u32>load<u8>(at, 1) != LETTER_U) {
      failure = LONE_SURROGATE;
      return 0;
    }
    if ((readHex(at + 2) & 0xfffffc00) != 0xdc00) {
      failure = LONE_SURROGATE;
      return 0;
    }
    at += 6;
  }
}

/** @returns the value of four digits; -1 if one is none */
export function readHex(at: usize): i32 {
  let unit = 0;
  for (let digit: usize = 0; digit < 4; digit += 1) {
    const byte = <u32>load<u8>(at + digit);
    const letter = (byte | 0x20) - 0x61;
    if (byte - 0x30 <= 9) unit = (unit << 4) | (byte - 0x30);
    else if (letter <= 5) unit = (unit << 4) | (letter + 10);
    else return -1;
  }
  return unit;
}

export function isName(start: usize, length: u32, name: string): bool {
  if (length != <u32>name.length) return false;
  for (let at = 0; at < name.length; at += 1)
    if (<i32>load<u8>(start + at) != name.charCodeAt(at)) return false;
  return true;
}
