import type { Buffer } from 'node:buffer';

/** How the escapes of letters, `_`, `-` and `.` begin. Few clients escape these. */
const ESCAPES = ['\\u002d', '\\u002D', '\\u002e', '\\u002E', '\\u004', '\\u005', '\\u006', '\\u007'];

/** Digits and `:`. Go's encoder escapes the characters after them, `<` and `>`. */
const DIGIT_ESCAPES = Array.from('0123456789aA', (digit) => `\\u003${digit}`);
const ALL_ESCAPES = [...ESCAPES, ...DIGIT_ESCAPES];
const MAX_TEXT_BYTES = 4096;

/**
 * Finds which of some texts are in JSON. Native searches, without reading the JSON.
 * @param marks of letters, digits, `_`, `-`, `.` and `:`, with quotes around them if they are whole strings
 * @returns null if any of them may be in it, because letters are escaped
 */
export function findMarks(json: Buffer, marks: readonly string[]): readonly string[] | null {
  if (marks.length === 0) return marks;
  // Searching a short string is faster than a call into native code for each mark.
  const text = json.length <= MAX_TEXT_BYTES ? json.toString('latin1') : json;
  const isEscaped = text.includes('\\u00') && ALL_ESCAPES.some((escape) => text.includes(escape));
  return isEscaped ? null : marks.filter((mark) => text.includes(mark));
}
