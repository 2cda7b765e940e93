import type { Buffer } from 'node:buffer';
import { endOfString } from '../json/end-of-string.ts';
import { endOfValue } from '../json/end-of-value.ts';
import { findEventsEnd } from './events-end.ts';

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const MAX_LABEL = 'data: '.length;

/** Distinguishes members of events from members of the values in them. */
export class TopMembers {
  readonly #block: Buffer;
  readonly #text: string;
  /** The value of a member that was walked last: everything up to here is inside it. */
  #nestedEnd = 0;

  /**
   * @param block of complete events
   * @param text the same, one character for each byte (latin1)
   */
  constructor(block: Buffer, text: string) {
    this.#block = block;
    this.#text = text;
  }

  /** True if the key that begins at `offset` is a member of its event. @param offset larger than in the last call */
  has(offset: number): boolean {
    if (offset < this.#nestedEnd) return false;
    const text = this.#text;
    const line = text.lastIndexOf('\n', offset) + 1;
    const open = text.indexOf('{', line);
    // Nearly every event is one line, with no object before its text.
    const isLine = text.startsWith('data:', line) && open <= line + MAX_LABEL;
    if (isLine && text.lastIndexOf('{', offset) === open) return true;
    this.#nestedEnd = endOfNested(this.#block, offset);
    return this.#nestedEnd === 0;
  }
}

/** @returns the offset after the member's value that `offset` is in; 0: it is in none */
function endOfNested(block: Buffer, offset: number): number {
  const start = findEventsEnd(block.subarray(0, offset));
  let at = block.indexOf(OPEN_BRACE, start) + 1;
  while (at < offset) {
    const byte = block[at];
    if (byte === QUOTE) at = endOfString(block, at);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      at = endOfValue(block, at);
      if (at > offset) return at;
    } else at += 1;
  }
  return 0;
}
