/** Reproducible random numbers from a seed. */
export interface SeededRandom {
  /** @returns an integer from 0 to `below`, exclusive */
  below(below: number): number;
  /** @throws Error if the list is empty */
  pick<Item>(items: readonly Item[]): Item;
}

/** The generator mulberry32: small, and good enough for tests. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    below: (below) => next() % below,
    pick(items) {
      const found = items[next() % items.length];
      if (found === undefined) throw new Error('There is nothing to pick from');
      return found;
    },
  };
}
