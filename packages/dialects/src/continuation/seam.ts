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
  readonly #received: string;
  readonly #tail: string;
  readonly #rules: SeamRules;
  #held = '';
  /** Where each piece of the held text ends. */
  readonly #ends: number[] = [];
  isDecided = false;
  /** The text started again, with other words: it cannot be joined. */
  isBroken = false;
  #repeatedTokens = 0;

  constructor(received: string, rules: SeamRules) {
    this.#received = received;
    this.#tail = received.slice(-MAX_OVERLAP);
    this.#rules = rules;
  }

  /** UTF-16 units that are held back. */
  get heldLength(): number {
    return this.#held.length;
  }

  /** Text that the caller does not get, in tokens: by its length, and one for each whole piece at least. */
  get withheldTokens(): number {
    return this.isDecided ? this.#repeatedTokens : this.#countTokens(this.#held);
  }

  /** @returns text for the caller, perhaps empty */
  push(text: string): string {
    if (this.isDecided) return text;
    this.#held += text;
    this.#ends.push(this.#held.length);
    return this.#isOpen() ? '' : this.decide();
  }

  /** No more text comes, or it took too long. @returns the rest for the caller */
  decide(): string {
    if (this.isDecided) return '';
    this.isDecided = true;
    const held = this.#held;
    this.#held = '';
    const repeated = this.#countRepeated(held);
    this.#repeatedTokens = this.#countTokens(held.slice(0, repeated));
    return held.slice(repeated);
  }

  /** @param start of the held text */
  #countTokens(start: string): number {
    const pieces = this.#ends.filter((end) => end <= start.length).length;
    return Math.max(pieces, Math.floor(Buffer.byteLength(start) / BYTES_PER_TOKEN));
  }

  /** True if more text may make the repetition longer. */
  #isOpen(): boolean {
    const held = this.#held;
    const { mayRepeat, trimmed } = this.#rules;
    if (!mayRepeat) return held.length < trimmed.length && trimmed.startsWith(held);
    const start = held.trimStart();
    if (start.length < this.#received.length && this.#received.trimStart().startsWith(start)) return true;
    const at = this.#tail.indexOf(start);
    return at >= 0 && at + start.length < this.#tail.length;
  }

  #countRepeated(held: string): number {
    const { mayRepeat, trimmed } = this.#rules;
    if (!mayRepeat) return countCommon(held, trimmed);
    // A model writes no space before its first word.
    const start = held.trimStart();
    const spaces = held.length - start.length;
    const received = this.#received.trimStart();
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

/** Length of the common beginning. */
function countCommon(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}
