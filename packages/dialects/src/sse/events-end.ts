import type { Buffer } from 'node:buffer';

const LF = 0x0a;
const CR = 0x0d;

/**
 * Finds where the last complete event of a piece of an event stream ends: just behind its blank line
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream; line ends LF or CRLF, or CR if
 * there is no LF).
 * @returns an offset into `bytes`, 0 if no event is complete
 */
export function findEventsEnd(bytes: Buffer): number {
  // Nearly every chunk ends with its event: look there before searching.
  const length = bytes.length;
  if (length >= 2 && bytes[length - 1] === LF && isBlankLineEnd(bytes, length - 1)) return length;
  for (let at = bytes.lastIndexOf(LF); at > 0; at = bytes.lastIndexOf(LF, at - 1)) {
    if (isBlankLineEnd(bytes, at)) return at + 1;
  }
  const blank = bytes.includes(LF) ? -1 : bytes.lastIndexOf('\r\r');
  return blank < 0 ? 0 : blank + 2;
}

/**
 * The same for a blank line that begins in earlier bytes.
 * @param before the last two characters of these
 */
export function findSplitEnd(before: string, bytes: Buffer): number {
  const isLineEnd = before.endsWith('\n');
  if (bytes[0] === LF) return isLineEnd || before === '\n\r' ? 1 : 0;
  if (before.endsWith('\r') && bytes[0] === CR) return 1;
  return isLineEnd && bytes[0] === CR && bytes[1] === LF ? 2 : 0;
}

/** True if the LF at `at` ends an empty line. */
function isBlankLineEnd(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1];
  return before === LF || (before === CR && bytes[at - 2] === LF);
}
