import type { ClassPrices, NanoUsd, TokenPrices } from '@tollgate/core/money/money';
import type { PriceField } from '@tollgate/core/money/price-fields';
import type { ToolReads } from '@tollgate/core/money/rates/bound-rates';
import { costOfTokens, withMultiplier } from '@tollgate/core/money/rates/compute-cost';
import { typedKeys } from '@tollgate/core/runtime/typed-keys';

/** Minimum output tokens: with fewer, the request is refused. */
export const MIN_OUTPUT_TOKENS = 16;
/** Output is limited below this only by low funds, never by temporary holds of other requests. */
const SOFT_OUTPUT_TOKENS = 256;

/** Bounds of the cost of a request. */
export interface RequestBounds {
  prices: TokenPrices;
  /** The plan's multiplier, in millionths. */
  pricePpm: number;
  /** Maximum input tokens of all classes together. */
  inputTokens: number;
  /** How often tools of the provider may make the model read its input; absent: once. */
  turns?: number;
  /** Tools of the provider whose results have a known size: in place of `turns`; absent: none. */
  toolReads?: RequestToolReads;
  /** A turn that writes a summary of the conversation, which replaces it; absent: none. */
  compaction?: { inputTokens: number; outputTokens: number };
  /** True: a provider may bill cache writes, which may cost more than input. */
  writesCache: boolean;
  /** Maximum output tokens per choice. */
  maxOutputTokens: number;
  choices: number;
  /** Output of each choice in addition to the maximum, such as reasoning that the maximum does not limit; absent: none. */
  outputBesideMaximum?: number;
  /** Maximum cost of server-tool calls, before the plan's multiplier; absent: none. */
  toolCallsNanoUsd?: NanoUsd;
  /** Additional models that the provider may use; absent: none. */
  further?: readonly FurtherBounds[];
  /** True: the request sets a maximum. It is lowered only by low funds, and not below `leastNamedTokens`. */
  isMaxNamed: boolean;
  /** Per choice; absent: all of a maximum that the request sets is held, or the request is refused. */
  leastNamedTokens?: number;
}

interface RequestToolReads extends ToolReads {
  /** True: the provider reads input of an earlier turn from its cache, whether or not the request marks it. */
  isRereadCached: boolean;
}

/** Bounds of the cost of an additional model. */
interface FurtherBounds {
  prices: TokenPrices;
  /** Per call. */
  inputTokens: number;
  outputTokens: number;
  calls: number;
  /** For all calls together. */
  toolCallsNanoUsd: NanoUsd;
}

export interface HoldAmounts {
  wantNanoUsd: NanoUsd;
  softNanoUsd: NanoUsd;
  minNanoUsd: NanoUsd;
  /** Minimum of a key's budget. */
  keyMinNanoUsd: NanoUsd;
}

/**
 * Computes the maximum cost of a request with the given output, for any share of cached input and any
 * input up to its bound. Of the tools of the provider, it has the results of one call.
 */
export function computeWorstCase(bounds: RequestBounds, outputTokens: number): NanoUsd {
  return worstTokens(addResults(bounds), withBeside(bounds, outputTokens)) + costOfRest(bounds);
}

function withBeside({ outputBesideMaximum = 0, choices }: RequestBounds, outputTokens: number): number {
  return outputTokens + outputBesideMaximum * choices;
}

function addResults(bounds: RequestBounds): TokenBounds {
  const { inputTokens, toolReads } = bounds;
  return toolReads === undefined ? bounds : { ...bounds, inputTokens: inputTokens + toolReads.resultTokens };
}

/** Calls of tools, and additional models. */
function costOfRest(bounds: RequestBounds): NanoUsd {
  const { pricePpm, writesCache } = bounds;
  let worst = 0n;
  const { toolCallsNanoUsd: ofTools = 0n } = bounds;
  if (ofTools !== 0n) worst += withMultiplier(ofTools, pricePpm);
  for (const { calls, toolCallsNanoUsd, outputTokens: written, ...further } of bounds.further ?? [])
    worst +=
      worstTokens({ ...further, pricePpm, writesCache }, written) * BigInt(calls) +
      withMultiplier(toolCallsNanoUsd, pricePpm);
  return worst;
}

interface TokenBounds extends Pick<RequestBounds, 'inputTokens' | 'prices' | 'pricePpm' | 'writesCache'> {
  /** Further input that is read from the provider's cache; absent: none. */
  cachedTokens?: number;
}

function worstTokens(bounds: TokenBounds, outputTokens: number): NanoUsd {
  const { inputTokens, cachedTokens = 0, prices, pricePpm, writesCache } = bounds;
  const { longInput } = prices;
  const costAt = (rates: ClassPrices, tokens: number, cached: number) =>
    costOfTokens(
      [
        { tokens, rateNanoUsd: highestInputRate(rates, writesCache) },
        { tokens: cached, rateNanoUsd: rates.cacheReadNanoUsdPerMtok ?? rates.inputNanoUsdPerMtok },
        { tokens: outputTokens, rateNanoUsd: rates.outputNanoUsdPerMtok },
      ],
      pricePpm,
    );
  const above = longInput?.aboveInputTokens ?? Infinity;
  if (longInput === undefined || longInput === null || inputTokens + cachedTokens <= above)
    return costAt(prices, inputTokens, cachedTokens);
  const asLong = costAt(longInput, inputTokens, cachedTokens);
  // Long input may cost less than short input.
  const fresh = Math.min(inputTokens, above);
  const asShort = costAt(prices, fresh, Math.min(cachedTokens, above - fresh));
  return asLong > asShort ? asLong : asShort;
}

/** What each price is for. Those of cache writes apply only if the request writes to a cache. */
const PRICED: Record<PriceField, 'input' | 'cache write' | 'output'> = {
  inputNanoUsdPerMtok: 'input',
  outputNanoUsdPerMtok: 'output',
  cacheReadNanoUsdPerMtok: 'input',
  cacheWriteNanoUsdPerMtok: 'cache write',
  cacheWrite1hNanoUsdPerMtok: 'cache write',
};
const INPUT_PRICES = typedKeys(PRICED).filter((field) => PRICED[field] !== 'output');
const INPUT_PRICES_WITHOUT_WRITES = INPUT_PRICES.filter((field) => PRICED[field] !== 'cache write');

/** Rate of the most expensive input class. */
function highestInputRate(prices: ClassPrices, writesCache: boolean): NanoUsd {
  let highest = 0n;
  for (const field of writesCache ? INPUT_PRICES : INPUT_PRICES_WITHOUT_WRITES) {
    const price = prices[field];
    if (price !== null && price > highest) highest = price;
  }
  return highest;
}

/** The same with the input of all turns and a compaction. */
function worstOfTurns(bounds: RequestBounds, outputTokens: number): NanoUsd {
  const { turns = 1, compaction } = bounds;
  const all = turns === 1 ? addReads(bounds) : { ...bounds, inputTokens: bounds.inputTokens * turns };
  const worst = worstTokens(all, withBeside(bounds, outputTokens)) + costOfRest(bounds);
  if (compaction === undefined) return worst;
  const { outputTokens: written, ...read } = compaction;
  return worst + worstTokens({ ...bounds, ...read }, written);
}

/** Adds the results of all calls. After each call, the model reads again what it has read before. */
function addReads(bounds: RequestBounds): TokenBounds {
  const { inputTokens, toolReads } = bounds;
  if (toolReads === undefined) return bounds;
  const { calls, resultTokens, isRereadCached } = toolReads;
  const read = inputTokens + calls * resultTokens;
  const rereadTokens = calls * inputTokens + (resultTokens * calls * (calls - 1)) / 2;
  return isRereadCached
    ? { ...bounds, inputTokens: read, cachedTokens: rereadTokens }
    : { ...bounds, inputTokens: read + rereadTokens };
}

/** Computes the amount for the whole worst case, all that a request needs if enough is left. */
export function wantedAmount(bounds: RequestBounds): NanoUsd {
  return worstOfTurns(bounds, bounds.maxOutputTokens * bounds.choices);
}

/**
 * Computes hold amounts: the full worst case with a set maximum if the funds allow it, otherwise at least a short response. Input that is read
 * more than once and a compaction are held from a balance if there is enough left, and must fit in a key's budget: an
 * account could divide its balance among many small budgets, and pay with each for one turn of many.
 */
export function holdAmounts(bounds: RequestBounds): HoldAmounts {
  const { maxOutputTokens, choices, isMaxNamed, leastNamedTokens = maxOutputTokens } = bounds;
  const getOutput = (tokens: number) => Math.min(tokens, maxOutputTokens) * choices;
  const least = getOutput(isMaxNamed ? leastNamedTokens : MIN_OUTPUT_TOKENS);
  return {
    wantNanoUsd: wantedAmount(bounds),
    softNanoUsd: computeWorstCase(bounds, getOutput(isMaxNamed ? maxOutputTokens : SOFT_OUTPUT_TOKENS)),
    minNanoUsd: computeWorstCase(bounds, least),
    keyMinNanoUsd: worstOfTurns(bounds, least),
  };
}

/** Computes the output tokens per choice that an amount can pay for; 0 if it does not cover the input. */
export function affordableOutputTokens(bounds: RequestBounds, amount: NanoUsd): number {
  return affordable(bounds, (tokens) => computeWorstCase(bounds, tokens) <= amount);
}

/** The same after the input of all turns and a compaction. */
export function affordableAfterTurns(bounds: RequestBounds, amount: NanoUsd): number {
  return affordable(bounds, (tokens) => worstOfTurns(bounds, tokens) <= amount);
}

function affordable(
  { maxOutputTokens, choices }: RequestBounds,
  isCovered: (tokens: number) => boolean,
): number {
  // Binary search: the worst case increases with the output.
  let low = 0;
  let high = maxOutputTokens;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isCovered(middle * choices)) low = middle;
    else high = middle - 1;
  }
  return low;
}
