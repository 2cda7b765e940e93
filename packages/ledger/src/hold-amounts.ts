import type { ClassPrices, NanoUsd, TokenPrices } from '@tollgate/core/money/money';
import { costOfTokens } from '@tollgate/core/money/rates/cost-of';

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
  /** Of calls of server tools at most, before the plan's multiplier; absent: none. */
  toolCallsNanoUsd?: NanoUsd;
  /** Models that the provider may use beside the requested one; absent: none. */
  further?: readonly FurtherBounds[];
  /** True: the caller named the maximum; it is served whole or not at all. */
  isMaxNamed: boolean;
}

/** What bounds the cost of a further model. */
interface FurtherBounds {
  prices: TokenPrices;
  /** Of one call. */
  inputTokens: number;
  outputTokens: number;
  calls: number;
  toolCallsNanoUsd: NanoUsd;
}

export interface HoldAmounts {
  wantNanoUsd: NanoUsd;
  softNanoUsd: NanoUsd;
  minNanoUsd: NanoUsd;
}

/**
 * The most that a request can cost with so much output, whatever part of its input caches serve or take, and however
 * much shorter than its bound the input turns out to be.
 */
export function worstCaseOf(bounds: RequestBounds, outputTokens: number): NanoUsd {
  const { pricePpm, writesCache } = bounds;
  let worst = worstTokens(bounds, outputTokens) + planCost(bounds.toolCallsNanoUsd ?? 0n, pricePpm);
  for (const { calls, toolCallsNanoUsd, outputTokens: written, ...further } of bounds.further ?? [])
    worst +=
      worstTokens({ ...further, pricePpm, writesCache }, written) * BigInt(calls) +
      planCost(toolCallsNanoUsd, pricePpm);
  return worst;
}

/** An amount at the plan's multiplier, rounded up. */
function planCost(nanoUsd: NanoUsd, pricePpm: number): NanoUsd {
  return (nanoUsd * BigInt(pricePpm) + 999_999n) / 1_000_000n;
}

type TokenBounds = Pick<RequestBounds, 'inputTokens' | 'prices' | 'pricePpm' | 'writesCache'>;

function worstTokens(bounds: TokenBounds, outputTokens: number): NanoUsd {
  const { inputTokens, prices, pricePpm, writesCache } = bounds;
  const { longInput } = prices;
  const costAt = (rates: ClassPrices, tokens: number) =>
    costOfTokens(
      { tokens, rateNanoUsd: dearestInput(rates, writesCache) },
      { tokens: outputTokens, rateNanoUsd: rates.outputNanoUsdPerMtok },
      pricePpm,
    );
  if (longInput === undefined || longInput === null || inputTokens <= longInput.aboveInputTokens)
    return costAt(prices, inputTokens);
  const asLong = costAt(longInput, inputTokens);
  // Nobody says that long input must be the dearer one.
  const asShort = costAt(prices, longInput.aboveInputTokens);
  return asLong > asShort ? asLong : asShort;
}

/** The rate of the dearest class of input. */
function dearestInput(prices: ClassPrices, writesCache: boolean): NanoUsd {
  const read = dearer(prices.inputNanoUsdPerMtok, prices.cacheReadNanoUsdPerMtok);
  if (!writesCache) return read;
  return dearer(dearer(read, prices.cacheWriteNanoUsdPerMtok), prices.cacheWrite1hNanoUsdPerMtok);
}

function dearer(rate: NanoUsd, other: NanoUsd | null): NanoUsd {
  return other !== null && other > rate ? other : rate;
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
