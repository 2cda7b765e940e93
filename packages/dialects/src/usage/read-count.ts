/** More tokens than any request can have; a larger count is an error of the provider. */
export const MAX_COUNT = 100_000_000;
const INTEGER_TEXT = /^\s*(\d{1,9})(?:\.0+)?\s*$/;

/**
 * Reads the counts of one usage object. A whole number is taken as it is, also when it is written as a string. A
 * fraction is rounded up. Anything else (negative, not a number, more than 100 million) is unreadable.
 */
export class CountReader {
  /** False once a count was rounded, unreadable or contradicted: what was reported is then an estimate. */
  isExact = true;

  /** Two counts cannot both be true. */
  noteContradiction(): void {
    this.isExact = false;
  }

  /**
   * @param candidates the same count under the names that providers use; the first that is set is read
   * @returns null if none is set, or it is unreadable
   */
  read(...candidates: readonly unknown[]): number | null {
    for (const value of candidates) if (value !== undefined && value !== null) return this.#readValue(value);
    return null;
  }

  #readValue(value: unknown): number | null {
    const count = parseCount(value);
    if (count === null || count < 0 || count > MAX_COUNT) {
      this.isExact = false;
      return null;
    }
    if (Number.isInteger(count)) return count;
    this.isExact = false;
    return Math.ceil(count);
  }
}

function parseCount(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const digits = typeof value === 'string' ? INTEGER_TEXT.exec(value)?.[1] : undefined;
  return digits === undefined ? null : Number(digits);
}
