/** Up to this number the names of an object are compared one by one; a set is used beyond. */
const MAX_COMPARED = 24;

/**
 * The names of the open objects, to find a repeated one. The names of an inner object lie above those of
 * the outer one, and are removed when it is closed.
 */
export class SeenNames {
  #hashes = new Int32Array(256);
  #starts = new Int32Array(256);
  #count = 0;
  /** For objects with many names, by the index of their first name. */
  readonly #sets = new Map<number, Set<string>>();

  get count(): number {
    return this.#count;
  }

  /**
   * Adds a name to the innermost object.
   * @param base the `count` when the object was opened
   * @param start offset of the name
   * @param textAt returns the name at an offset
   * @returns false if the object has that name already
   */
  add(base: number, hash: number, start: number, textAt: (start: number) => string): boolean {
    const count = this.#count;
    if (count - base >= MAX_COMPARED) return this.#addToSet(base, start, textAt);
    for (let at = base; at < count; at += 1) {
      if (this.#hashes[at] === hash && textAt(this.#starts[at] ?? 0) === textAt(start)) return false;
    }
    if (count === this.#hashes.length) this.#grow();
    this.#hashes[count] = hash;
    this.#starts[count] = start;
    this.#count = count + 1;
    return true;
  }

  /** The innermost object is over. */
  close(base: number): void {
    this.#count = base;
    if (this.#sets.size > 0) this.#sets.delete(base);
  }

  clear(): void {
    this.#count = 0;
    if (this.#sets.size > 0) this.#sets.clear();
  }

  #addToSet(base: number, start: number, textAt: (start: number) => string): boolean {
    let set = this.#sets.get(base);
    if (set === undefined) {
      set = new Set();
      for (let at = base; at < this.#count; at += 1) set.add(textAt(this.#starts[at] ?? 0));
      this.#sets.set(base, set);
    }
    const sizeBefore = set.size;
    return set.add(textAt(start)).size > sizeBefore;
  }

  #grow(): void {
    const [hashes, starts] = [this.#hashes, this.#starts];
    this.#hashes = new Int32Array(hashes.length * 2);
    this.#hashes.set(hashes);
    this.#starts = new Int32Array(starts.length * 2);
    this.#starts.set(starts);
  }
}
