/** A text, a number or the name of a member. */
export type Leaf = string | number;

/** How often each leaf of some values occurs. */
export class LeafCounts {
  readonly #counts = new Map<Leaf, number>();

  add(leaf: Leaf): void {
    this.#counts.set(leaf, (this.#counts.get(leaf) ?? 0) + 1);
  }

  /** Adds every leaf of a value of JSON, and the names of its members. */
  addAll(value: unknown): void {
    if (typeof value === 'string' || typeof value === 'number') this.add(value);
    else if (Array.isArray(value)) for (const each of value) this.addAll(each);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        this.add(name);
        this.addAll(inner);
      }
  }

  /** Takes out one occurrence. @returns false if none is left */
  take(leaf: Leaf): boolean {
    const left = this.#counts.get(leaf) ?? 0;
    if (left > 0) this.#counts.set(leaf, left - 1);
    return left > 0;
  }
}
