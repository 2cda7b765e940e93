import type { ClassPrices, LongInputPrices, NanoUsd } from '../money.ts';
import type { PriceField } from '../price-fields.ts';
import {
  isPlain,
  NO_RATES,
  normalizeTerms,
  PLAIN_TERMS,
  type AdditionalRates,
  type MediaPrices,
  type RateCard,
  type TermPrices,
  type TermRate,
} from './rate-card.ts';
import type { RateTerms } from './rate-need.ts';

const PPM = 1_000_000n;

/** The token rates that apply to a request. */
export interface TokenRates extends TermPrices {
  media: MediaPrices;
}

export type ResolvedRates =
  | { ok: true; rates: TokenRates }
  /** `missing`: the name of the rate, e.g. `service_tier flex`. */
  | { ok: false; missing: string };

/** Finds the token rates of a card for given terms. */
export function resolveRates(card: RateCard, given: RateTerms): ResolvedRates {
  if (given === PLAIN_TERMS) return { ok: true, rates: plainRates(card) };
  const terms = normalizeTerms(given);
  const rates = card.rates ?? NO_RATES;
  if (isPlain(terms)) return { ok: true, rates: plainRates(card) };
  const found = findTermRates(rates, terms);
  if (!found.ok) return found;
  const replacing = found.rates.filter((rate) => rate.kind === 'prices');
  // Two price lists cannot be combined. No provider offers such a combination.
  if (replacing.length > 1) return { ok: false, missing: nameTerms(terms) };
  const [list] = replacing;
  let resolved = list === undefined ? plainRates(card) : { ...list.prices, media: {} };
  for (const rate of found.rates) if (rate.kind === 'multiplier') resolved = multiply(resolved, rate.ppm);
  return { ok: true, rates: resolved };
}

function findTermRates(
  rates: AdditionalRates,
  { serviceTier, speed, inferenceGeo }: RateTerms,
): { ok: true; rates: TermRate[] } | { ok: false; missing: string } {
  const asked = [
    [rates.serviceTiers, serviceTier, 'service_tier'],
    [rates.speeds, speed, 'speed'],
    [rates.inferenceGeos, inferenceGeo, 'inference_geo'],
  ] as const;
  const found: TermRate[] = [];
  for (const [table, name, kind] of asked) {
    if (name === null) continue;
    const rate = Object.hasOwn(table, name) ? table[name] : undefined;
    if (rate === undefined) return { ok: false, missing: `${kind} ${name}` };
    found.push(rate);
  }
  return { ok: true, rates: found };
}

/** All terms by name: `service_tier flex with speed fast`. */
function nameTerms({ serviceTier, speed, inferenceGeo }: RateTerms): string {
  const named = [
    ['service_tier', serviceTier],
    ['speed', speed],
    ['inference_geo', inferenceGeo],
  ];
  return named.flatMap(([kind, name]) => (name === null ? [] : [`${kind} ${name}`])).join(' with ');
}

/** Caches rates per card: every request needs them, and cards are immutable. */
const ratesByCard = new WeakMap<RateCard, TokenRates>();

/** The token rates without any terms. */
export function plainRates(card: RateCard): TokenRates {
  const known = ratesByCard.get(card);
  if (known !== undefined) return known;
  const rates = { ...card, longInput: card.longInput ?? null, media: card.rates?.media ?? {} };
  ratesByCard.set(card, rates);
  return rates;
}

function multiply(prices: TokenRates, ppm: number): TokenRates {
  const times = (price: NanoUsd) => (price * BigInt(ppm) + PPM - 1n) / PPM;
  const { longInput, media } = prices;
  return {
    ...mapClasses(prices, times),
    longInput: longInput === null ? null : { ...longInput, ...mapClasses(longInput, times) },
    media: mapMedia(media, times),
  };
}

function mapClasses(prices: ClassPrices, map: (price: NanoUsd) => NanoUsd): ClassPrices {
  const mapOptional = (price: NanoUsd | null) => (price === null ? null : map(price));
  return {
    inputNanoUsdPerMtok: map(prices.inputNanoUsdPerMtok),
    outputNanoUsdPerMtok: map(prices.outputNanoUsdPerMtok),
    cacheReadNanoUsdPerMtok: mapOptional(prices.cacheReadNanoUsdPerMtok),
    cacheWriteNanoUsdPerMtok: mapOptional(prices.cacheWriteNanoUsdPerMtok),
    cacheWrite1hNanoUsdPerMtok: mapOptional(prices.cacheWrite1hNanoUsdPerMtok),
  };
}

function mapMedia(media: MediaPrices, map: (price: NanoUsd) => NanoUsd): MediaPrices {
  return Object.fromEntries(
    Object.entries(media).flatMap(([name, price]) => (price === undefined ? [] : [[name, map(price)]])),
  );
}

/** The name of each price in bills. */
const BILLED_AS = {
  inputNanoUsdPerMtok: 'input',
  outputNanoUsdPerMtok: 'output',
  cacheReadNanoUsdPerMtok: 'cache_read',
  cacheWriteNanoUsdPerMtok: 'cache_write',
  cacheWrite1hNanoUsdPerMtok: 'cache_write_1h',
} as const satisfies Record<PriceField, string>;

/** The price of every class, including fallbacks. */
export type FilledPrices = Record<(typeof BILLED_AS)[keyof typeof BILLED_AS], NanoUsd>;

/** Resolves the price of every class, including fallbacks. */
export function fillClasses(prices: ClassPrices | LongInputPrices): FilledPrices {
  const input = prices.inputNanoUsdPerMtok;
  const cacheWrite = prices.cacheWriteNanoUsdPerMtok ?? input;
  return {
    input,
    cache_read: prices.cacheReadNanoUsdPerMtok ?? input,
    cache_write: cacheWrite,
    cache_write_1h: prices.cacheWrite1hNanoUsdPerMtok ?? cacheWrite,
    output: prices.outputNanoUsdPerMtok,
  };
}
