/** Entries that one cache keeps; the oldest make room for new ones. */
const MAX_ENTRIES = 20_000;

/** Hashes of prefixes that expire. */
export class ExpiringSet {
  readonly #now: () => number;
  readonly #expiry = new Map<string, number>();

  /** @param now the time in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** True if an entry has not expired. */
  has(hash: string): boolean {
    return (this.#expiry.get(hash) ?? -Infinity) > this.#now();
  }

  /** Adds an entry, or extends its life. */
  keep(hash: string, lifeMs: number): void {
    const expiry = Math.max(this.#now() + lifeMs, this.#expiry.get(hash) ?? 0);
    this.#expiry.delete(hash);
    this.#expiry.set(hash, expiry);
    if (this.#expiry.size > MAX_ENTRIES) this.#expiry.delete(this.#expiry.keys().next().value ?? '');
  }
}
