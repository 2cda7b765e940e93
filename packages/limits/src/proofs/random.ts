/** Numbers that are the same in every run. */
export interface Random {
  /** From 0 up to 1. */
  unit(): number;
  /** A whole number from 0 up to `limit`. */
  below(limit: number): number;
  /** A whole number between two, as often small as large. */
  logarithmic(from: number, to: number): number;
  /** A whole number with this mean, as the gaps between random arrivals have it. */
  exponential(mean: number): number;
}

/** @param seed any number; the same one gives the same numbers */
export function createRandom(seed: number): Random {
  let state = (seed >>> 0) + 1;
  // Xorshift with a multiplier, 32 bits of state: even enough for arrivals.
  const unit = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (Math.imul(state, 0x9e37_79b1) >>> 0) / 2 ** 32;
  };
  return {
    unit,
    below: (limit) => Math.floor(unit() * limit),
    logarithmic: (from, to) => Math.floor(from * (to / from) ** unit()),
    exponential: (mean) => Math.floor(-Math.log(1 - unit()) * mean),
  };
}
