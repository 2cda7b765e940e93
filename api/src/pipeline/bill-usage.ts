import {
  FULL_PRICE_PPM,
  type NanoUsd,
  type TokenUsage,
  type UsageIteration,
} from '@tollgate/core/money/money';
import { requestedTerms } from '@tollgate/core/money/rates/bound-rates';
import { listBillLines } from '@tollgate/core/money/rates/bill-lines';
import { computeCost, sumLines } from '@tollgate/core/money/rates/compute-cost';
import { isPlain, normalizeTerms, usedTerms } from '@tollgate/core/money/rates/rate-card';
import type { RateNeed, RateTerms, ServedTerms } from '@tollgate/core/money/rates/rate-need';
import { resolveRates } from '@tollgate/core/money/rates/resolve-rates';
import type { Catalogue, Price } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
import { findServedPrice } from '../catalogue/upstream-models.ts';

/** The inputs of a bill. */
export interface BillSource {
  /** Price of the model that answered. */
  price: Price;
  /** Price of the requested model. */
  askedPrice: Price;
  /** null: no provider was called. */
  route: Route | null;
  /** The plan's multiplier, in millionths. */
  pricePpm: number;
  needs: readonly RateNeed[];
  /** The terms reported by the provider; null: not reported. */
  served: ServedTerms | null;
  catalogue: Catalogue;
  startedAtMs: number;
}

export interface Bill {
  costNanoUsd: NanoUsd;
  /** Usage of further models includes the version of their price. */
  usage: TokenUsage;
  /** null: standard terms. */
  terms: RateTerms | null;
  /** Usage without a rate, not in the cost: `tool_calls code_execution`. */
  missing: readonly string[];
}

/** Bills usage by the served terms, else by the requested ones, and further models by their own prices. */
export function billUsage(usage: TokenUsage, source: BillSource): Bill {
  const { price, pricePpm } = source;
  const terms = billedTerms(source);
  if (usage.extras === undefined) {
    const { lines, missing } = listBillLines(usage, price, { terms });
    return { costNanoUsd: sumLines(lines, pricePpm), usage, terms, missing };
  }
  const billed = withPrices(attributeSearches(usage, source.needs), source);
  const prices = new Map<number, Price>();
  for (const iteration of billed.extras?.iterations ?? []) {
    const own = findIterationPrice(iteration, source);
    if (own !== null) prices.set(own.id, own);
  }
  const findCard = ({ priceId }: { priceId?: number | undefined }) => prices.get(priceId ?? 0) ?? null;
  const { lines, missing } = listBillLines(billed, price, { terms, findCard });
  return { costNanoUsd: sumLines(lines, pricePpm), usage: billed, terms, missing };
}

/** What a provider may charge for unbilled output: by the requested terms, without the plan's multiplier. */
export function getUnbilledCost(usage: TokenUsage, price: Price, needs: readonly RateNeed[]): NanoUsd {
  const terms = normalizeTerms(requestedTerms(needs));
  const known = resolveRates(price, terms).ok ? terms : null;
  return computeCost(usage, price, FULL_PRICE_PPM, { terms: known });
}

function billedTerms({ price, needs, served }: BillSource): RateTerms | null {
  if (needs.length === 0 && served === null) return null;
  const asked = requestedTerms(needs);
  const used = usedTerms(asked, served);
  if (isPlain(used)) return null;
  // Terms without a rate are a mismatch, charged at the hold's bound; below it, the requested terms are billed.
  const billed = resolveRates(price, used).ok ? used : normalizeTerms(asked);
  return isPlain(billed) ? null : billed;
}

/** Responses count both kinds of searches as one: the earlier tool is billed if the request has it. */
function attributeSearches(usage: TokenUsage, needs: readonly RateNeed[]): TokenUsage {
  const { extras } = usage;
  const searches = extras?.toolCalls?.web_search;
  if (searches === undefined || !needs.some(isPreviewSearch)) return usage;
  const { web_search: _, ...others } = extras?.toolCalls ?? {};
  return { ...usage, extras: { ...extras, toolCalls: { ...others, web_search_preview: searches } } };
}

const isPreviewSearch = (need: RateNeed) => need.kind === 'tool_calls' && need.tool === 'web_search_preview';

function withPrices(usage: TokenUsage, source: BillSource): TokenUsage {
  const { extras } = usage;
  if (extras?.iterations === undefined) return usage;
  const iterations = extras.iterations.map((iteration) => {
    const own = findIterationPrice(iteration, source);
    return own === null ? iteration : { ...iteration, priceId: own.id };
  });
  return { ...usage, extras: { ...extras, iterations } };
}

/** The price of a further model, by the provider's name for it. */
function findIterationPrice({ model }: UsageIteration, source: BillSource): Price | null {
  const { route, askedPrice: price } = source;
  return model === null || route === null ? null : findServedPrice(model, { ...source, route, price });
}
