import { Buffer } from 'node:buffer';
import { BYTES_PER_TOKEN } from '../input-tokens/tokens-of-bytes.ts';

/** A repetition at most this long is looked for, in UTF-16 units. */
const MAX_OVERLAP = 1_024;
/** A shorter one may be chance. */
const MIN_OVERLAP = 12;
/** A text that begins like the received text for this long has started again. */
const MIN_RESTART = 24;

/** How a continuation may begin. */
export interface SeamRules {
  /** It may repeat the end of the received text, or all of it. False: it begins exactly where that ended. */
  mayRepeat: boolean;
  /** White space at the end of the received text that the provider was not sent. */
  trimmed: string;
}

/**
 * Joins the text of a continuation to the text that its caller has received. The beginning is held back until it is certain
 * how much of it repeats that text.
 */
export class Seam {
  /** Without the white space at its start. */
  readonly #received: string;
  readonly #tail: string;
  readonly #rules: SeamRules;
  #held: string[] = [];
  /** UTF-16 units that are held back. */
  heldLength = 0;
  /** The held text without the white space at its start, as far as the received text may end with it. */
  #start = '';
  /** How far the held text is known to begin like the text that it may repeat; null: it does not. */
  #commonLength: number | null = 0;
  isDecided = false;
  /** The text started again, with other words: it cannot be joined. */
  isBroken = false;
  #repeatedTokens = 0;

  constructor(received: string, rules: SeamRules) {
    this.#received = received.trimStart();
    this.#tail = received.slice(-MAX_OVERLAP);
    this.#rules = rules;
  }

  /** Text that the caller does not get, in tokens: by its length, and one for each whole piece at least. */
  get withheldTokens(): number {
    return this.isDecided ? this.#repeatedTokens : countTokens(this.#held, this.heldLength);
  }

  /** @returns text for the caller, perhaps empty */
  push(text: string): string {
    if (this.isDecided) return text;
    this.#held.push(text);
    this.heldLength += text.length;
    return this.#isOpen(text) ? '' : this.decide();
  }

  /** No more text comes, or it took too long. @returns the rest for the caller */
  decide(): string {
    if (this.isDecided) return '';
    this.isDecided = true;
    const held = this.#held.join('');
    const repeated = this.#countRepeated(held);
    this.#repeatedTokens = countTokens(this.#held, repeated);
    this.#held = [];
    this.heldLength = 0;
    return held.slice(repeated);
  }

  /**
   * True if more text may make the repetition longer. Looks only at the last piece: all that is held may be long.
   * @param text the last piece
   */
  #isOpen(text: string): boolean {
    const { mayRepeat, trimmed } = this.#rules;
    if (!mayRepeat) return this.#isCommon(text, trimmed);
    const piece = this.#start === '' ? text.trimStart() : text;
    if (this.#start.length <= MAX_OVERLAP) this.#start += piece;
    if (this.#isCommon(piece, this.#received)) return true;
    const at = this.#tail.indexOf(this.#start);
    return at >= 0 && at + this.#start.length < this.#tail.length;
  }

  /** True if the held text, with its last piece, is a beginning of another text, which is longer. */
  #isCommon(piece: string, other: string): boolean {
    const before = this.#commonLength;
    this.#commonLength = before !== null && other.startsWith(piece, before) ? before + piece.length : null;
    return this.#commonLength !== null && this.#commonLength < other.length;
  }

  #countRepeated(held: string): number {
    const { mayRepeat, trimmed } = this.#rules;
    if (!mayRepeat) return countCommon(held, trimmed);
    // A model writes no space before its first word.
    const start = held.trimStart();
    const spaces = held.length - start.length;
    const received = this.#received;
    const common = countCommon(start, received);
    if (common === received.length) return spaces + common;
    const overlap = this.#findOverlap(start);
    if (overlap > 0) return spaces + overlap;
    // The beginning of a very short text may be equal by chance.
    if (common >= Math.max(MIN_OVERLAP, Math.min(MIN_RESTART, received.length / 2))) {
      this.isBroken = true;
      return held.length;
    }
    return countCommon(held, trimmed);
  }

  /** @returns the length of the longest beginning of the text that the received text ends with, perhaps without its last space */
  #findOverlap(start: string): number {
    const tail = this.#tail;
    const words = tail.trimEnd();
    for (let length = Math.min(start.length, tail.length); length >= MIN_OVERLAP; length -= 1) {
      const beginning = start.slice(0, length);
      if (tail.endsWith(beginning)) return length;
      if (words.endsWith(beginning))
        return length + countCommon(start.slice(length), tail.slice(words.length));
    }
    return 0;
  }
}

/** @param length of the beginning of the text that is counted, in UTF-16 units */
function countTokens(pieces: readonly string[], length: number): number {
  let end = 0;
  const whole = pieces.filter((piece) => (end += piece.length) <= length).length;
  const bytes = Buffer.byteLength(pieces.join('').slice(0, length));
  return Math.max(whole, Math.floor(bytes / BYTES_PER_TOKEN));
}

/** Length of the common beginning. */
function countCommon(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}
