/**
 * Counts the calls under way at each provider, in this process. It never queues: a provider that is full is a route to
 * pass over.
 */
export class ProviderConcurrency {
  /** Providers with a limit and calls under way, alone. */
  readonly #underWay = new Map<string, number>();

  /**
   * Takes a place.
   * @param max null: no limit, and then nothing is counted
   * @returns null where the provider is full; else what gives the place back, whatever happened, and does so once
   */
  tryAcquire(providerId: string, max: number | null): (() => void) | null {
    if (max === null) return UNLIMITED;
    const count = this.#underWay.get(providerId) ?? 0;
    if (count >= max) return null;
    this.#underWay.set(providerId, count + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#giveBack(providerId);
    };
  }

  /** How many calls of a limited provider are under way. */
  countOf(providerId: string): number {
    return this.#underWay.get(providerId) ?? 0;
  }

  #giveBack(providerId: string): void {
    const left = this.countOf(providerId) - 1;
    if (left > 0) this.#underWay.set(providerId, left);
    else this.#underWay.delete(providerId);
  }
}

/** One for all, so that a provider without a limit costs nothing. */
const UNLIMITED = () => undefined;
