import { MINUS } from './layout';

/** A number of fewer characters without an exponent fits a double. */
const PLAIN_NUMBER: usize = 300;

/** More digits are read 16 at a time. */
const SHORT_DIGITS: usize = 24;

/** The last number has a fraction or an exponent. */
export let isFloat: bool = false;
/** The last number may be out of the range of a double. */
export let mayOverflow: bool = false;

/** @returns the offset behind a number; 0 if it is none */
export function endOfNumber(start: usize): usize {
  let at = start;
  isFloat = false;
  mayOverflow = false;
  if (<u32>load<u8>(at) == MINUS) at += 1;
  if (<u32>load<u8>(at) == 0x30) at += 1;
  else {
    at = skipDigits(at);
    if (at == 0) return 0;
  }
  if (<u32>load<u8>(at) == 0x2e) {
    at = skipDigits(at + 1);
    if (at == 0) return 0;
    isFloat = true;
  }
  if ((<u32>load<u8>(at) | 0x20) == 0x65) {
    at += 1;
    const sign = <u32>load<u8>(at);
    if (sign == 0x2b || sign == MINUS) at += 1;
    at = skipDigits(at);
    isFloat = true;
    mayOverflow = true;
  }
  if (at - start > PLAIN_NUMBER) mayOverflow = true;
  return at;
}

/** @returns the offset behind digits; 0 if there are none */
function skipDigits(start: usize): usize {
  let at = start;
  while (<u32>load<u8>(at) - 0x30 <= 9) {
    at += 1;
    // A number may be as long as the body.
    if (at - start == SHORT_DIGITS) at = skipManyDigits(at);
  }
  return at == start ? 0 : at;
}

/** Skips whole vectors of digits. */
function skipManyDigits(from: usize): usize {
  let at = from;
  while (true) {
    const digits = i8x16.lt_u(i8x16.sub(v128.load(at), i8x16.splat(0x30)), i8x16.splat(10));
    if (!i8x16.all_true(digits)) return at;
    at += 16;
  }
}

/** @returns the offset behind true, false or null; 0 if it is none of them */
export function endOfWord(at: usize, first: u32): usize {
  const word = load<u32>(at);
  if (first == 0x74) return word == 0x65757274 ? at + 4 : 0;
  if (first == 0x6e) return word == 0x6c6c756e ? at + 4 : 0;
  return word == 0x736c6166 && load<u8>(at, 4) == 0x65 ? at + 5 : 0;
}
