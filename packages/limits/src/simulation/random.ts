/** Repeatable pseudorandom numbers. */
export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  unit(): number;
  /** An integer from 0 up to, not including, `limit`. */
  below(limit: number): number;
  /** An integer between two bounds, log-uniformly distributed. */
  logarithmic(from: number, to: number): number;
  /** An integer with this mean, exponentially distributed like gaps between arrivals. */
  exponential(mean: number): number;
}

/** @param seed the same seed gives the same numbers */
export function createRandom(seed: number): Random {
  let state = (seed >>> 0) + 1;
  // Xorshift with a multiplier and 32 bits of state, uniform enough for arrivals.
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
