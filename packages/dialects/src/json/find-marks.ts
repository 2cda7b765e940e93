import type { Buffer } from 'node:buffer';

const BACKSLASH = 0x5c;
const [LETTER_U, DIGIT_0, DIGIT_2, DIGIT_3, DIGIT_4, DIGIT_7, DIGIT_9] = [
  0x75, 0x30, 0x32, 0x33, 0x34, 0x37, 0x39,
];
/** Makes a letter lower case. */
const LOWER = 0x20;
const [LETTER_A, LETTER_D, LETTER_E] = [0x61, 0x64, 0x65];
const MAX_TEXT_BYTES = 4096;

/**
 * Finds which of some texts are in JSON. Native searches, and one pass over JSON that escapes characters of Latin-1.
 * @param json a whole value
 * @param marks of letters, digits, `_`, `-`, `.` and `:`, with quotes around them if they are whole strings
 * @returns null if any of them may be in it, because such characters are escaped
 */
export function findMarks(json: Buffer, marks: readonly string[]): readonly string[] | null {
  if (marks.length === 0) return marks;
  // Searching a short string is faster than a call into native code for each mark.
  const text = json.length <= MAX_TEXT_BYTES ? json.toString('latin1') : json;
  const isEscaped = text.includes('\\u00') && hasMarkEscape(json);
  return isEscaped ? null : marks.filter((mark) => text.includes(mark));
}

/** A native search for each escape would start again at every backslash, and a text may have as many as it likes. */
function hasMarkEscape(json: Buffer): boolean {
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] !== BACKSLASH) continue;
    at += 1;
    const isLatin = json[at] === LETTER_U && json[at + 1] === DIGIT_0 && json[at + 2] === DIGIT_0;
    if (isLatin && isMarkCode(json[at + 3] ?? 0, json[at + 4] ?? 0)) return true;
  }
  return false;
}

/**
 * True for the code of a letter, a digit, `_`, `-`, `.` or `:`, and of a few other characters. Go's encoder escapes `<`, `>`
 * and `&`, which are none.
 */
function isMarkCode(first: number, second: number): boolean {
  const letter = second | LOWER;
  if (first === DIGIT_2) return letter === LETTER_D || letter === LETTER_E;
  if (first === DIGIT_3) return (second >= DIGIT_0 && second <= DIGIT_9) || letter === LETTER_A;
  return first >= DIGIT_4 && first <= DIGIT_7;
}
