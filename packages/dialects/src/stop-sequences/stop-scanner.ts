/** Limits of sequences that the gateway looks for: each piece of text is compared with all of them. */
export const STOP_LIMITS = { maxSequences: 16, maxLength: 256 } as const;

/** Text up to a stop sequence. */
export interface StoppedText {
  text: string;
  /** The sequence that follows the text; null: none yet. */
  sequence: string | null;
}

/** Looks for stop sequences in text that arrives in pieces. */
export class StopScanner {
  readonly #sequences: readonly string[];
  /** The end of the text so far, which may begin a sequence. */
  #held = '';

  /** @param sequences none is empty; see `STOP_LIMITS` */
  constructor(sequences: readonly string[]) {
    this.#sequences = sequences;
  }

  /** @returns the text that certainly comes before any sequence */
  push(piece: string): StoppedText {
    const text = this.#held + piece;
    const found = findStop(text, this.#sequences);
    if (found.sequence !== null) return found;
    const held = Math.max(...this.#sequences.map((sequence) => countBegun(text, sequence)));
    this.#held = text.slice(text.length - held);
    return { text: text.slice(0, text.length - held), sequence: null };
  }

  /** The text is complete. @returns its rest */
  flush(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}

/** Finds the first stop sequence in a whole text. */
export function findStop(text: string, sequences: readonly string[]): StoppedText {
  let found: StoppedText = { text, sequence: null };
  let end = Infinity;
  for (const sequence of sequences) {
    const at = text.indexOf(sequence);
    // The model would have stopped at the sequence that is complete first.
    if (at === -1 || at + sequence.length >= end) continue;
    end = at + sequence.length;
    found = { text: text.slice(0, at), sequence };
  }
  return found;
}

/** The length of the longest beginning of a sequence with which the text ends. */
function countBegun(text: string, sequence: string): number {
  for (let length = Math.min(sequence.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(sequence.slice(0, length))) return length;
  return 0;
}
