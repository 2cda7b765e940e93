/** Further stretches are not recorded: no honest text has as many. */
const MAX_STRETCHES = 100_000;

/** Where the stretches of a copy were in its source. */
export class OffsetMap {
  readonly #starts: number[] = [];
  /** Offset in the source minus offset in the copy, for each stretch. */
  readonly #shifts: number[] = [];
  #isFull = false;

  /** Starts a stretch. Offsets in the copy ascend. */
  add(copyOffset: number, sourceOffset: number): void {
    if (this.#starts.length === MAX_STRETCHES) this.#isFull = true;
    if (this.#isFull) return;
    this.#starts.push(copyOffset);
    this.#shifts.push(sourceOffset - copyOffset);
  }

  /** @returns the offset in the source; null if the copy has too many stretches */
  findSource(copyOffset: number): number | null {
    if (this.#isFull) return null;
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= copyOffset) low = middle + 1;
      else high = middle;
    }
    return copyOffset + (this.#shifts[low - 1] ?? 0);
  }
}
