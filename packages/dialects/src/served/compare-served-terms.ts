import { normalizeTerms } from '@tollgate/core/money/rates/rate-card';
import type { RateTerms, ServedTerms } from '@tollgate/core/money/rates/rate-need';

/** The terms of a response that are not standard; null: standard, or not reported by the provider. */
export function servedRateTerms({ serviceTier, speed, inferenceGeo }: ServedTerms): RateTerms {
  return normalizeTerms({ serviceTier, speed, inferenceGeo });
}
