/** Pseudorandom numbers, repeatable with the same seed. */
export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  next(): number;
  isTrue(probability: number): boolean;
  /** Log-normal around a median, like request sizes and durations. */
  around(median: number, spread: number): number;
  pick<T>(choices: readonly (readonly [choice: T, weight: number])[]): T;
}

/** Marsaglia's 32-bit xorshift: https://www.jstatsoft.org/article/view/v008i14. @param seed not 0 */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return {
    next,
    isTrue: (probability) => next() < probability,
    around: (median, spread) => {
      // Box and Muller's normal deviate; 1 − next() is never 0.
      const deviate = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return median * Math.exp(spread * deviate);
    },
    pick: (choices) => {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      let last: readonly [(typeof choices)[number][0], number] | undefined;
      for (const choice of choices) {
        last = choice;
        left -= choice[1];
        if (left < 0) break;
      }
      if (last === undefined) throw new Error('No choices given');
      return last[0];
    },
  };
}
