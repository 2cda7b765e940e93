import type { RateTerms, ServedTerms } from '@tollgate/core/rates/rate-need';

/** What providers call their plain terms, and what says nothing. */
const PLAIN_TIERS: ReadonlySet<string> = new Set([
  'default',
  'standard',
  'standard_only',
  'on_demand',
  'auto',
  // Capacity that was paid for in advance.
  'scale',
]);
const PLAIN_SPEEDS: ReadonlySet<string> = new Set(['standard']);
const PLAIN_GEOS: ReadonlySet<string> = new Set(['global', 'not_available']);

/** The terms that an answer was served on, beside the plain ones; null: the plain one, or the provider does not say. */
export function servedRateTerms({ serviceTier, speed, inferenceGeo }: ServedTerms): RateTerms {
  return {
    serviceTier: besides(PLAIN_TIERS, serviceTier),
    speed: besides(PLAIN_SPEEDS, speed),
    inferenceGeo: besides(PLAIN_GEOS, inferenceGeo),
  };
}

function besides(plain: ReadonlySet<string>, value: string | null): string | null {
  return value === null || plain.has(value) ? null : value;
}

/**
 * Finds terms of an answer that were not asked for.
 * @param asked the terms that the request was priced by
 * @returns their names: `service_tier priority`
 */
export function listStrayTerms(asked: RateTerms, served: ServedTerms): string[] {
  const { serviceTier, speed, inferenceGeo } = servedRateTerms(served);
  const compared = [
    ['service_tier', asked.serviceTier, serviceTier],
    ['speed', asked.speed, speed],
    ['inference_geo', asked.inferenceGeo, inferenceGeo],
  ] as const;
  return compared.flatMap(([name, wanted, given]) =>
    given === null || given === wanted ? [] : [`${name} ${given}`],
  );
}
