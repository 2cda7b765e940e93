import { FULL_PRICE_PPM, type NanoUsd, type TokenUsage, type UsageIteration } from '@tollgate/core/money';
import { requestedTerms } from '@tollgate/core/rates/bound-rates';
import { listBillLines } from '@tollgate/core/rates/bill-lines';
import { costOf } from '@tollgate/core/rates/cost-of';
import { isPlain, normalizeTerms, usedTerms } from '@tollgate/core/rates/rate-card';
import type { RateNeed, RateTerms, ServedTerms } from '@tollgate/core/rates/rate-need';
import { resolveRates } from '@tollgate/core/rates/resolve-rates';
import { findPrice, type Catalogue, type Price } from '../catalogue/catalogue.ts';

/** What a request is billed by. */
export interface BillSource {
  price: Price;
  /** The plan's multiplier, in millionths. */
  pricePpm: number;
  needs: readonly RateNeed[];
  /** What the provider says that it used; null: it does not say. */
  served: ServedTerms | null;
  catalogue: Catalogue;
  startedAtMs: number;
}

export interface Bill {
  costNanoUsd: NanoUsd;
  /** Further models have the version of their price. */
  usage: TokenUsage;
  /** null: the plain ones. */
  terms: RateTerms | null;
  /** What was used and has no rate: `tool_calls code_execution`. It is not in the cost. */
  missing: readonly string[];
}

const NONE: readonly string[] = [];
/** Snapshots of a model: `-20250929`, `-2025-08-07`. */
const DATE = /-\d{4}-?\d{2}-?\d{2}$/;

/** Bills what was used: by the terms that were served, else by those asked for, and further models by their own prices. */
export function billUsage(usage: TokenUsage, source: BillSource): Bill {
  const { price, pricePpm } = source;
  const terms = billedTerms(source);
  const billed = withPrices(usage, source);
  const prices = new Map<number, Price>();
  for (const iteration of billed.extras?.iterations ?? []) {
    const own = findIterationPrice(iteration, source);
    if (own !== null) prices.set(own.id, own);
  }
  const findCard = ({ priceId }: { priceId?: number | undefined }) => prices.get(priceId ?? 0) ?? null;
  const bill = { terms, findCard };
  const missing = billed.extras === undefined ? NONE : listBillLines(billed, price, bill).missing;
  return { costNanoUsd: costOf(billed, price, pricePpm, bill), usage: billed, terms, missing };
}

/** What a provider may charge for output that no caller is billed for: by the terms asked for, without the plan's multiplier. */
export function unbilledCostOf(usage: TokenUsage, price: Price, needs: readonly RateNeed[]): NanoUsd {
  const terms = normalizeTerms(requestedTerms(needs));
  const known = resolveRates(price, terms).ok ? terms : null;
  return costOf(usage, price, FULL_PRICE_PPM, { terms: known });
}

function billedTerms({ price, needs, served }: BillSource): RateTerms | null {
  if (needs.length === 0 && served === null) return null;
  const asked = requestedTerms(needs);
  const used = usedTerms(asked, served);
  // Terms without a rate are a mismatch, which is charged at the hold's bound; below it, those asked for are billed.
  const billed = resolveRates(price, used).ok ? used : normalizeTerms(asked);
  return isPlain(billed) ? null : billed;
}

function withPrices(usage: TokenUsage, source: BillSource): TokenUsage {
  const { extras } = usage;
  if (extras?.iterations === undefined) return usage;
  const iterations = extras.iterations.map((iteration) => {
    const own = findIterationPrice(iteration, source);
    return own === null ? iteration : { ...iteration, priceId: own.id };
  });
  return { ...usage, extras: { ...extras, iterations } };
}

/** The price of a further model, by our name of it or by a provider's. */
function findIterationPrice(
  { model: name }: UsageIteration,
  { catalogue, startedAtMs }: BillSource,
): Price | null {
  const bare = name.replace(DATE, '');
  const model =
    catalogue.get(name) ??
    catalogue.get(bare) ??
    [...catalogue.values()].find(({ routes }) =>
      routes.some(({ upstreamModel }) => upstreamModel === name || upstreamModel === bare),
    );
  return model === undefined ? null : findPrice(model, startedAtMs);
}
