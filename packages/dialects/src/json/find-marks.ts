import type { Buffer } from 'node:buffer';

/** How the escapes of the letters, `_` and `-` begin. Few clients escape these. */
const ESCAPES = ['\\u002d', '\\u002D', '\\u004', '\\u005', '\\u006', '\\u007'];

/**
 * Finds which of some texts are in JSON. Native searches, without reading the JSON.
 * @param marks of letters, `_` and `-`, with quotes around them if they are whole strings
 * @returns null if any of them may be in it, because letters are escaped
 */
export function findMarks(json: Buffer, marks: readonly string[]): readonly string[] | null {
  if (marks.length === 0) return marks;
  const isEscaped = json.includes('\\u00') && ESCAPES.some((escape) => json.includes(escape));
  return isEscaped ? null : marks.filter((mark) => json.includes(mark));
}
