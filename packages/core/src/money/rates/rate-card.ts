import type { ClassPrices, LongInputPrices, NanoUsd, TokenPrices } from '../money.ts';
import type { MediaTokenClass, RateTerms, ServerTool } from './rate-need.ts';

/** Rates of audio and images, in nano-dollars per million tokens; a class that is absent has no rate. */
export type MediaPrices = { readonly [Class in MediaTokenClass]?: NanoUsd | undefined };

/** The token rates of a service tier, a speed or a region. */
export type TermRate =
  /** All token rates of the model, times so many millionths, each rounded up to a whole nano-dollar per million tokens. */
  | { kind: 'multiplier'; ppm: number }
  /** A price list of its own, in place of the model's. It has no rates of audio and images. */
  | { kind: 'prices'; prices: TermPrices };

export interface TermPrices extends ClassPrices {
  longInput: LongInputPrices | null;
}

/** The rates of a model beside those of plain tokens. A rate that is absent is not known: it is never taken as free. */
export interface AdditionalRates {
  media: MediaPrices;
  /** Nano-dollars per 1,000 calls of tools that the provider runs. */
  toolCalls: { readonly [Tool in ServerTool]?: NanoUsd | undefined };
  serviceTiers: Readonly<Record<string, TermRate>>;
  speeds: Readonly<Record<string, TermRate>>;
  inferenceGeos: Readonly<Record<string, TermRate>>;
}

/** Everything that a model's requests are billed by: one version of its prices. */
export interface RateCard extends TokenPrices {
  /** null or absent: plain tokens are all that it has rates for. */
  rates?: AdditionalRates | null | undefined;
}

export const NO_RATES: AdditionalRates = {
  media: {},
  toolCalls: {},
  serviceTiers: {},
  speeds: {},
  inferenceGeos: {},
};

export const PLAIN_TERMS: RateTerms = { serviceTier: null, speed: null, inferenceGeo: null };

/** The rate of 1,000 calls of a tool; undefined: it is not known. */
export function toolCallRate({ rates }: Pick<RateCard, 'rates'>, tool: ServerTool): NanoUsd | undefined {
  const calls = rates?.toolCalls;
  return calls?.[tool] ?? (tool === 'web_search_preview' ? calls?.web_search : undefined);
}

/** Service tiers that a request may name and that the plain rates are for. */
export const STANDARD_TIERS = ['default', 'standard', 'standard_only', 'on_demand'] as const;

/** Names that providers give to what the plain rates are for. */
const PLAIN_NAMES: Readonly<Record<keyof RateTerms, ReadonlySet<string>>> = {
  serviceTier: new Set<string>([
    ...STANDARD_TIERS,
    'auto',
    // Capacity that was paid for in advance.
    'scale',
  ]),
  speed: new Set(['standard']),
  inferenceGeo: new Set(['global', 'not_available']),
};

/** Terms under the names of the rate card: names of the plain terms become null. */
export function normalizeTerms(terms: RateTerms): RateTerms {
  const serviceTier = unlessPlain(terms.serviceTier, PLAIN_NAMES.serviceTier);
  const speed = unlessPlain(terms.speed, PLAIN_NAMES.speed);
  const inferenceGeo = unlessPlain(terms.inferenceGeo, PLAIN_NAMES.inferenceGeo);
  if (serviceTier === null && speed === null && inferenceGeo === null) return PLAIN_TERMS;
  return { serviceTier, speed, inferenceGeo };
}

function unlessPlain(value: string | null, plainNames: ReadonlySet<string>): string | null {
  return value === null || value === '' || plainNames.has(value) ? null : value;
}

/** The terms that a request was served on: what the provider says of each, else what was asked for. */
export function usedTerms(asked: RateTerms, served: RateTerms | null): RateTerms {
  return normalizeTerms({
    serviceTier: served?.serviceTier ?? asked.serviceTier,
    speed: served?.speed ?? asked.speed,
    inferenceGeo: served?.inferenceGeo ?? asked.inferenceGeo,
  });
}

/** True: the plain rates hold. */
export function isPlain({ serviceTier, speed, inferenceGeo }: RateTerms): boolean {
  return serviceTier === null && speed === null && inferenceGeo === null;
}
