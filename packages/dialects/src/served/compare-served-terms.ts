import { normalizeTerms } from '@tollgate/core/money/rates/rate-card';
import type { RateTerms, ServedTerms } from '@tollgate/core/money/rates/rate-need';

/** The terms that an answer was served on, other than the plain ones; null: the plain one, or the provider does not say. */
export function servedRateTerms({ serviceTier, speed, inferenceGeo }: ServedTerms): RateTerms {
  return normalizeTerms({ serviceTier, speed, inferenceGeo });
}
