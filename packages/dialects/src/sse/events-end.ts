import type { Buffer } from 'node:buffer';

const LF = 0x0a;
const CR = 0x0d;
/** So few bytes are read faster one by one than with a call of `lastIndexOf`. */
const NEAR_BYTES = 256;

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
  const lastLf = bytes.lastIndexOf(LF);
  for (let at = lastLf; at > 0; at = bytes.lastIndexOf(LF, at - 1)) {
    if (isBlankLineEnd(bytes, at)) return at + 1;
  }
  const blank = lastLf < 0 ? bytes.lastIndexOf('\r\r') : -1;
  return blank < 0 ? 0 : blank + 2;
}

/** The same for the bytes in front of `offset`: finds where the event that it is in starts. */
export function findEventStart(bytes: Buffer, offset: number): number {
  const last = Math.max(0, offset - NEAR_BYTES);
  let hasLf = false;
  for (let at = offset - 1; at >= last; at -= 1) {
    const byte = bytes[at];
    if (byte === LF) {
      if (at > 0 && isBlankLineEnd(bytes, at)) return at + 1;
      hasLf = true;
    } else if (byte === CR && !hasLf) return findEventsEnd(bytes.subarray(0, offset));
  }
  return last === 0 ? 0 : findEventsEnd(bytes.subarray(0, offset));
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
