/** A number, a boolean or null, with its comma. */
const SCALAR_CHARACTERS = 26;
/** Of a string or a list: quotes or brackets, a comma and a colon. */
const MARK_CHARACTERS = 4;
/** Of one character: `\u0001`. */
const MAX_ESCAPE = 6;
const BYTES_OF_WIDE = 2;

/**
 * Maximum heap of the text that `JSON.stringify` writes for a value, in bytes. One character that needs two bytes makes
 * the whole text as wide.
 * @param enough below it, the size is only a bound: the characters of the strings are not read
 */
export function writtenSize(value: unknown, enough = 0): number {
  const bound = sumTexts(value, ({ length }) => length * MAX_ESCAPE) * BYTES_OF_WIDE;
  if (bound <= enough) return bound;
  let isWide = false;
  const characters = sumTexts(value, (text) => {
    isWide ||= hasWide(text);
    return escapedLength(text);
  });
  return isWide ? characters * BYTES_OF_WIDE : characters;
}

/** Adds what is measured of every string and name in a value to its punctuation. */
function sumTexts(value: unknown, measure: (text: string) => number): number {
  let sum = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') sum += measure(next) + MARK_CHARACTERS;
    else if (typeof next !== 'object' || next === null) sum += SCALAR_CHARACTERS;
    else {
      sum += MARK_CHARACTERS;
      if (Array.isArray(next)) for (const entry of next) open.push(entry);
      else
        for (const [name, member] of Object.entries(next)) {
          sum += measure(name) + MARK_CHARACTERS;
          open.push(member);
        }
    }
  }
  return sum;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LAST_ONE_BYTE = 0xff;
const FIRST_LOW_SURROGATE = 0xdc00;

function escapedLength(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    // oxlint-disable-next-line unicorn/prefer-code-point -- units, as they are written
    const unit = text.charCodeAt(at);
    if (unit === QUOTE || unit === BACKSLASH) length += 2;
    else if (unit < SPACE) length += MAX_ESCAPE;
    else if (isSurrogate(unit)) {
      // oxlint-disable-next-line unicorn/prefer-code-point -- NaN after the end
      if (unit < FIRST_LOW_SURROGATE && isLowSurrogate(text.charCodeAt(at + 1))) {
        at += 1;
        length += 2;
      } else length += MAX_ESCAPE;
    } else length += 1;
  }
  return length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= FIRST_LOW_SURROGATE && unit <= 0xdfff;
}

function hasWide(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    // oxlint-disable-next-line unicorn/prefer-code-point -- units, as they are written
    if (text.charCodeAt(at) > LAST_ONE_BYTE) return true;
  }
  return false;
}
