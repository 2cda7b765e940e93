import type { ClassPrices, LongInputPrices, NanoUsd, TokenPrices } from '../money.ts';
import type { MediaTokenClass, RateTerms, ServerTool } from './rate-need.ts';

/** Rates for audio and images in nano-dollars per million tokens; an absent class has no rate. */
export type MediaPrices = { readonly [Class in MediaTokenClass]?: NanoUsd | undefined };

/** Token rates of a service tier, speed or region. */
export type TermRate =
  /** Factor on all token rates in millionths. Results round up to a nano-dollar per million tokens. */
  | { kind: 'multiplier'; ppm: number }
  /** A separate price list instead of the model's. It has no rates for audio or images. */
  | { kind: 'prices'; prices: TermPrices };

export interface TermPrices extends ClassPrices {
  longInput: LongInputPrices | null;
}

/** Additional rates of a model. An absent rate is unknown, not free. */
export interface AdditionalRates {
  media: MediaPrices;
  /** Nano-dollars per 1,000 calls of server tools. */
  toolCalls: { readonly [Tool in ServerTool]?: NanoUsd | undefined };
  serviceTiers: Readonly<Record<string, TermRate>>;
  speeds: Readonly<Record<string, TermRate>>;
  inferenceGeos: Readonly<Record<string, TermRate>>;
}

/** One version of a model's prices: all rates for billing its requests. */
export interface RateCard extends TokenPrices {
  /** null or absent: rates for standard tokens only. */
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

/** Rate of 1,000 calls of a tool; undefined: unknown. */
export function toolCallRate({ rates }: Pick<RateCard, 'rates'>, tool: ServerTool): NanoUsd | undefined {
  const calls = rates?.toolCalls;
  return calls?.[tool] ?? (tool === 'web_search_preview' ? calls?.web_search : undefined);
}

/** Service tiers in requests to which the standard rates apply. */
export const STANDARD_TIERS = ['default', 'standard', 'standard_only', 'on_demand'] as const;

/** Terms in provider responses to which the standard rates apply. */
const PLAIN_NAMES: Readonly<Record<keyof RateTerms, ReadonlySet<string>>> = {
  serviceTier: new Set<string>([
    ...STANDARD_TIERS,
    'auto',
    // Prepaid capacity.
    'scale',
  ]),
  speed: new Set(['standard']),
  inferenceGeo: new Set(['global', 'not_available']),
};

/** Normalizes terms to names of the rate card; standard terms become null. */
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

/** Terms a request was served on: as reported by the provider, otherwise as requested. */
export function usedTerms(asked: RateTerms, served: RateTerms | null): RateTerms {
  return normalizeTerms({
    serviceTier: served?.serviceTier ?? asked.serviceTier,
    speed: served?.speed ?? asked.speed,
    inferenceGeo: served?.inferenceGeo ?? asked.inferenceGeo,
  });
}

/** True if the standard rates apply. */
export function isPlain({ serviceTier, speed, inferenceGeo }: RateTerms): boolean {
  return serviceTier === null && speed === null && inferenceGeo === null;
}
