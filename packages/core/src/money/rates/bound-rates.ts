import type { ClassPrices, LongInputPrices, NanoUsd, TokenPrices } from '../money.ts';
import { PLAIN_TERMS, toolCallRate, type RateCard } from './rate-card.ts';
import type { RateNeed, RateTerms } from './rate-need.ts';
import { fillClasses, resolveRates, type TokenRates } from './resolve-rates.ts';

/** Default limit of server-tool calls for holds. Sent to providers that accept a limit. */
export const MAX_TOOL_CALLS = 10;

/** Upper bounds of the rates of a request, for all terms that the provider may serve. */
export interface BoundRates {
  /** At least as high as every rate that may be billed, including media. */
  prices: TokenPrices;
  /** For server-tool calls. */
  toolCallsNanoUsd: NanoUsd;
}

/** `need`: what the missing rate is for. `missing`: its name, e.g. `service_tier flex`. */
export type BoundResult = { ok: true; bound: BoundRates } | { ok: false; need: RateNeed; missing: string };

/**
 * Bounds the rates of a card for the needs of a request. Ignores needs of additional models.
 * @param needs all of them must have a rate, otherwise the request cannot be priced
 */
export function boundRates(card: RateCard, needs: readonly RateNeed[]): BoundResult {
  if (needs.length > 0) return findBounds(card, needs);
  const known = plainBounds.get(card);
  if (known !== undefined) return known;
  const found = findBounds(card, needs);
  plainBounds.set(card, found);
  return found;
}

/** Cache for requests without needs, which are the most common. Cards are immutable. */
const plainBounds = new WeakMap<RateCard, BoundResult>();

function findBounds(card: RateCard, needs: readonly RateNeed[]): BoundResult {
  let toolCallsNanoUsd = 0n;
  for (const need of needs) {
    if (need.kind === 'tokens' && need.class !== 'image_input' && card.rates?.media[need.class] === undefined)
      return { ok: false, need, missing: `${need.class} tokens` };
    if (need.kind !== 'tool_calls') continue;
    const rate = toolCallRate(card, need.tool);
    if (rate === undefined) return { ok: false, need, missing: `tool_calls ${need.tool}` };
    toolCallsNanoUsd += callsCost(rate, need.maxCalls ?? MAX_TOOL_CALLS);
  }
  const possible: TokenRates[] = [];
  for (const { terms, need } of listTerms(needs)) {
    const resolved = resolveRates(card, terms);
    if (resolved.ok) possible.push(resolved.rates);
    else if (need !== null) return { ok: false, need, missing: resolved.missing };
  }
  const media = needs.flatMap((need) => (need.kind === 'tokens' ? [need.class] : []));
  return {
    ok: true,
    bound: { prices: mostExpensive(possible, [...media, 'image_input']), toolCallsNanoUsd },
  };
}

/** Requested terms; null: standard terms. */
export function requestedTerms(needs: readonly RateNeed[]): RateTerms {
  let terms = PLAIN_TERMS;
  for (const need of needs) {
    if (need.kind === 'service_tier') terms = { ...terms, serviceTier: need.tier };
    else if (need.kind === 'speed') terms = { ...terms, speed: need.speed };
    else if (need.kind === 'inference_geo') terms = { ...terms, inferenceGeo: need.geo };
  }
  return terms;
}

/** True if the provider runs tools, so that the model may read its input again. */
export function runsTools(needs: readonly RateNeed[]): boolean {
  return needs.some(({ kind }) => kind === 'tool_calls');
}

/** True if the results of the provider's tools may fill the model's context. */
export function readsUnboundedResults(needs: readonly RateNeed[]): boolean {
  return needs.some((need) => need.kind === 'tool_calls' && need.resultTokens === undefined);
}

/** What the model reads of tools whose results have a known size. */
export interface ToolReads {
  calls: number;
  /** Per call. */
  resultTokens: number;
}

/** @returns null without tools, or if their results may fill the model's context */
export function boundToolReads(needs: readonly RateNeed[]): ToolReads | null {
  if (!runsTools(needs) || readsUnboundedResults(needs)) return null;
  const sizes = needs.map((need) => (need.kind === 'tool_calls' ? (need.resultTokens ?? 0) : 0));
  return { calls: boundTurns(needs, false) - 1, resultTokens: Math.max(...sizes) };
}

/**
 * Bounds how often the model reads its input: once, and again after each call of a tool that the provider runs.
 * @param hasUncountedTools true: the provider runs further tools, whose calls the request does not limit
 */
export function boundTurns(needs: readonly RateNeed[], hasUncountedTools: boolean): number {
  let turns = hasUncountedTools ? 1 + MAX_TOOL_CALLS : 1;
  for (const need of needs) {
    // A search model searches before it reads anything.
    if (need.kind !== 'tool_calls' || need.leastCalls !== undefined) continue;
    turns += need.maxCalls ?? MAX_TOOL_CALLS;
  }
  return turns;
}

function callsCost(nanoUsdPerThousand: NanoUsd, calls: number): NanoUsd {
  return (nanoUsdPerThousand * BigInt(calls) + 999n) / 1_000n;
}

/** Lists all term combinations that may be served: each requested term or its standard one. */
function listTerms(needs: readonly RateNeed[]): { terms: RateTerms; need: RateNeed | null }[] {
  let all: { terms: RateTerms; need: RateNeed | null }[] = [{ terms: PLAIN_TERMS, need: null }];
  for (const need of needs) {
    const own = requestedTerms([need]);
    if (need.kind === 'service_tier')
      all = all.concat(all.map(({ terms }) => ({ terms: { ...terms, serviceTier: own.serviceTier }, need })));
    else if (need.kind === 'speed')
      all = all.concat(all.map(({ terms }) => ({ terms: { ...terms, speed: own.speed }, need })));
    else if (need.kind === 'inference_geo')
      all = all.concat(
        all.map(({ terms }) => ({ terms: { ...terms, inferenceGeo: own.inferenceGeo }, need })),
      );
  }
  return all;
}

/** Takes the highest price per class, and the lowest threshold of long input. */
function mostExpensive(
  possible: readonly TokenRates[],
  media: readonly (keyof TokenRates['media'])[],
): TokenPrices {
  const short = highest(possible, possible, media);
  const steps = possible.flatMap(({ longInput }) => (longInput === null ? [] : [longInput]));
  if (steps.length === 0) return { ...short, longInput: null };
  const long = highest([...possible, ...steps], possible, media);
  return {
    ...short,
    longInput: { ...long, aboveInputTokens: Math.min(...steps.map((step) => step.aboveInputTokens)) },
  };
}

function highest(
  lists: readonly (ClassPrices | LongInputPrices)[],
  withMedia: readonly TokenRates[],
  media: readonly (keyof TokenRates['media'])[],
): ClassPrices {
  const filled = lists.map(fillClasses);
  const max = (prices: readonly (NanoUsd | undefined)[]) =>
    prices.reduce<NanoUsd>((top, price) => (price !== undefined && price > top ? price : top), 0n);
  const getMedia = (direction: 'input' | 'output') =>
    withMedia.flatMap((rates) =>
      media.filter((name) => name.endsWith(direction)).map((name) => rates.media[name]),
    );
  return {
    inputNanoUsdPerMtok: max([...filled.map(({ input }) => input), ...getMedia('input')]),
    outputNanoUsdPerMtok: max([...filled.map(({ output }) => output), ...getMedia('output')]),
    cacheReadNanoUsdPerMtok: max(filled.map((prices) => prices.cache_read)),
    cacheWriteNanoUsdPerMtok: max(filled.map((prices) => prices.cache_write)),
    cacheWrite1hNanoUsdPerMtok: max(filled.map((prices) => prices.cache_write_1h)),
  };
}

/** Formats a missing rate as an operator enters it, e.g. `tool_calls:web_search=USD`. */
export function rateOptionFor(need: Exclude<RateNeed, { kind: 'model' }>): string {
  switch (need.kind) {
    case 'service_tier':
      return `service_tier:${need.tier}=RATE`;
    case 'speed':
      return `speed:${need.speed}=RATE`;
    case 'inference_geo':
      return `inference_geo:${need.geo}=RATE`;
    case 'tokens':
      return `tokens:${need.class}=USD`;
    case 'tool_calls':
      return `tool_calls:${need.tool}=USD`;
  }
}
