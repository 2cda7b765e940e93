/** A text, a number or the name of a member. */
export type Leaf = string | number;

/** Precedes leaves that are neither: `true`, `null`, an empty list. */
const OTHER = '\0';

/** How often each leaf of some values occurs. */
export class LeafCounts {
  readonly #counts = new Map<Leaf, number>();

  add(leaf: Leaf): void {
    this.#counts.set(leaf, (this.#counts.get(leaf) ?? 0) + 1);
  }

  /** Adds every leaf of a value of JSON, and the names of its members. */
  addAll(value: unknown): void {
    if (typeof value === 'string' || typeof value === 'number') this.add(value);
    else if (typeof value !== 'object' || value === null) this.add(OTHER + String(value));
    else {
      const entries = Object.entries(value);
      if (entries.length === 0) this.add(OTHER);
      for (const [name, inner] of entries) {
        if (!Array.isArray(value)) this.add(name);
        this.addAll(inner);
      }
    }
  }

  /** Takes out one occurrence. @returns false if none is left */
  take(leaf: Leaf): boolean {
    const left = this.#counts.get(leaf) ?? 0;
    if (left > 0) this.#counts.set(leaf, left - 1);
    return left > 0;
  }

  /** Takes out every leaf of a value of JSON, with the names of its members. @returns false, and takes none, if one is missing */
  takeAll(value: unknown): boolean {
    const needed = new LeafCounts();
    needed.addAll(value);
    for (const [leaf, count] of needed.#counts) if ((this.#counts.get(leaf) ?? 0) < count) return false;
    for (const [leaf, count] of needed.#counts) this.#counts.set(leaf, (this.#counts.get(leaf) ?? 0) - count);
    return true;
  }
}
