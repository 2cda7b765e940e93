import { BACKSLASH, ESCAPES, INVALID, LETTER_U, LONE_SURROGATE, QUOTE } from './layout';

/** Why the last text is not valid. */
export let failure: i32 = INVALID;

const SIMPLE = '"\\/bfnrt';
/** More white space is read 16 bytes at a time. */
const SHORT_SPACE: usize = 24;
/** Of a longer text, the rest is read in blocks. */
const SHORT_TEXT: usize = 48;
const ODD_BITS: u64 = 0xaaaaaaaaaaaaaaaa;
/** Letters of escapes by the low and the high half of their byte: `"/` 1, `\\` 2, `bfn` 4, `rtu` 8. */
const ESCAPES_BY_LOW = i8x16(0, 0, 13, 0, 8, 8, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1);
const ESCAPES_BY_HIGH = i8x16(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0);

export function prepareTexts(): void {
  for (let at = 0; at < SIMPLE.length; at += 1) store<u8>(ESCAPES + SIMPLE.charCodeAt(at), 1);
}

export function skipSpace(from: usize): usize {
  let at = from;
  while (true) {
    const byte = <u32>load<u8>(at);
    if (byte > 0x20 || (byte != 0x20 && byte != 0x0a && byte != 0x0d && byte != 0x09)) return at;
    at += 1;
    // White space may be as long as the body.
    if (at - from == SHORT_SPACE) at = skipMuchSpace(at);
  }
}

/** Skips whole vectors of white space. */
function skipMuchSpace(from: usize): usize {
  let at = from;
  while (true) {
    const bytes = v128.load(at);
    const isSpace = v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(0x20)), i8x16.eq(bytes, i8x16.splat(0x0a))),
      v128.or(i8x16.eq(bytes, i8x16.splat(0x0d)), i8x16.eq(bytes, i8x16.splat(0x09))),
    );
    if (!i8x16.all_true(isSpace)) return at;
    at += 16;
  }
}

/** @returns the offset of the closing quote; 0 if the text is not valid */
export function endOfText(start: usize): usize {
  const quote = i8x16.splat(QUOTE as i8);
  const backslash = i8x16.splat(BACKSLASH as i8);
  const space = i8x16.splat(0x20);
  failure = INVALID;
  let at = start;
  while (at < start + SHORT_TEXT) {
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
    if (<u32>load<u8>(at, 1) == LETTER_U) {
      at = endOfUnit(at);
      if (at == 0) return 0;
    } else if (load<u8>(ESCAPES + <usize>load<u8>(at, 1)) == 0) return 0;
    else at += 2;
  }
  return endOfLongText(at);
}

/** The same from an offset behind a character, in blocks of 64 bytes: the time of an escape does not depend on where it is. */
function endOfLongText(from: usize): usize {
  const quote = i8x16.splat(QUOTE as i8);
  const backslash = i8x16.splat(BACKSLASH as i8);
  const space = i8x16.splat(0x20);
  /** 1 if the first byte of the block is escaped. */
  let carried: u64 = 0;
  /** Escapes before are read already: the halves of a surrogate pair are read together. */
  let readTo: usize = from;
  let at = from;
  while (true) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const controls = masks(
      i8x16.lt_u(a, space),
      i8x16.lt_u(b, space),
      i8x16.lt_u(c, space),
      i8x16.lt_u(d, space),
    );
    const quotes = masks(i8x16.eq(a, quote), i8x16.eq(b, quote), i8x16.eq(c, quote), i8x16.eq(d, quote));
    const slashes = masks(
      i8x16.eq(a, backslash),
      i8x16.eq(b, backslash),
      i8x16.eq(c, backslash),
      i8x16.eq(d, backslash),
    );
    if ((slashes | carried) == 0) {
      if ((quotes | controls) == 0) {
        at += 64;
        continue;
      }
      const close = ctz(quotes | controls);
      return (quotes >> close) & 1 ? at + (close as usize) : 0;
    }
    // Of a run of backslashes, each second one is escaped: the subtraction carries through the run.
    const starts = slashes & ~carried;
    const codes = (((starts << 1) | ODD_BITS) - starts) ^ ODD_BITS;
    const escaped = codes ^ (slashes | carried);
    carried = (codes & slashes) >> 63;
    const ends = quotes & ~escaped;
    /** The bytes before the closing quote. */
    const inside = ends == 0 ? ~(<u64>0) : (ends & (0 - ends)) - 1;
    const letters = escaped & inside;
    if (
      (controls & inside) != 0 ||
      (letters & ~masks(isEscape(a), isEscape(b), isEscape(c), isEscape(d))) != 0
    )
      return 0;
    let units = letters & markLetterU(a, b, c, d);
    while (units != 0) {
      const escape = at + (ctz(units) as usize) - 1;
      units &= units - 1;
      if (escape < readTo) continue;
      readTo = endOfUnit(escape);
      if (readTo == 0) return 0;
    }
    if (ends != 0) return at + (ctz(ends) as usize);
    at += 64;
  }
}

/** A bit of each byte of four vectors. */
function masks(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = (i8x16.bitmask(a) as u32) | ((i8x16.bitmask(b) as u32) << 16);
  const high = (i8x16.bitmask(c) as u32) | ((i8x16.bitmask(d) as u32) << 16);
  return (low as u64) | ((high as u64) << 32);
}

/** Marks the letters that a backslash may be before. */
function isEscape(bytes: v128): v128 {
  const half = i8x16.splat(15);
  return i8x16.ne(
    v128.and(
      i8x16.swizzle(ESCAPES_BY_LOW, v128.and(bytes, half)),
      i8x16.swizzle(ESCAPES_BY_HIGH, v128.and(i16x8.shr_u(bytes, 4), half)),
    ),
    i8x16.splat(0),
  );
}

function markLetterU(a: v128, b: v128, c: v128, d: v128): u64 {
  const letter = i8x16.splat(LETTER_U as i8);
  return masks(i8x16.eq(a, letter), i8x16.eq(b, letter), i8x16.eq(c, letter), i8x16.eq(d, letter));
}

/** @returns the offset behind a `\uXXXX`, or two of them for a surrogate pair; 0 if it is not valid */
function endOfUnit(at: usize): usize {
  const unit = readHex(at + 2);
  if (unit < 0) return 0;
  if ((unit & 0xf800) != 0xd800) return at + 6;
  const isPair =
    unit < 0xdc00 &&
    <u32>load<u8>(at, 6) == BACKSLASH &&
    <u32>load<u8>(at, 7) == LETTER_U &&
    (readHex(at + 8) & 0xfffffc00) == 0xdc00;
  if (isPair) return at + 12;
  failure = LONE_SURROGATE;
  return 0;
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
