import { costOf, NO_USAGE, type NanoUsd, type TokenPrices } from '@tollgate/core/money';

/** Fewer output tokens than this are no answer: the request is refused instead. */
export const MIN_OUTPUT_TOKENS = 16;
/** An answer is cut shorter than this only where money is short, never because others hold it for a moment. */
const SOFT_OUTPUT_TOKENS = 256;

/** What bounds the cost of a request. */
export interface RequestBounds {
  prices: TokenPrices;
  /** The plan's multiplier, in millionths. */
  pricePpm: number;
  /** At most so many, of all classes together. */
  inputTokens: number;
  /** True: a provider may bill cache writes, which may be dearer than input. */
  writesCache: boolean;
  /** At most so many for one choice. */
  maxOutputTokens: number;
  choices: number;
  /** True: the caller named the maximum; it is served whole or not at all. */
  isMaxNamed: boolean;
}

export interface HoldAmounts {
  wantNanoUsd: NanoUsd;
  softNanoUsd: NanoUsd;
  minNanoUsd: NanoUsd;
}

/** The most that a request can cost with so much output. */
export function worstCaseOf(bounds: RequestBounds, outputTokens: number): NanoUsd {
  const { inputTokens, prices, pricePpm, writesCache } = bounds;
  const plain = costOf({ ...NO_USAGE, inputTokens, outputTokens }, prices, pricePpm);
  if (!writesCache) return plain;
  const short = costOf({ ...NO_USAGE, cacheWriteTokens: inputTokens, outputTokens }, prices, pricePpm);
  const long = costOf({ ...NO_USAGE, cacheWrite1hTokens: inputTokens, outputTokens }, prices, pricePpm);
  const dearer = short > long ? short : long;
  return dearer > plain ? dearer : plain;
}

/** What is asked for: all of the worst case where the maximum was named, else at least a short answer. */
export function holdAmounts(bounds: RequestBounds): HoldAmounts {
  const { maxOutputTokens, choices, isMaxNamed } = bounds;
  const wantNanoUsd = worstCaseOf(bounds, maxOutputTokens * choices);
  if (isMaxNamed) return { wantNanoUsd, softNanoUsd: wantNanoUsd, minNanoUsd: wantNanoUsd };
  const upTo = (tokens: number) => worstCaseOf(bounds, Math.min(tokens, maxOutputTokens) * choices);
  return { wantNanoUsd, softNanoUsd: upTo(SOFT_OUTPUT_TOKENS), minNanoUsd: upTo(MIN_OUTPUT_TOKENS) };
}

/** How many output tokens each choice can have for an amount; 0 where it does not even pay for the input. */
export function affordableOutputTokens(bounds: RequestBounds, amount: NanoUsd): number {
  // The worst case rises with the output: the largest that fits is found by halving.
  let low = 0;
  let high = bounds.maxOutputTokens;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (worstCaseOf(bounds, middle * bounds.choices) <= amount) low = middle;
    else high = middle - 1;
  }
  return low;
}
