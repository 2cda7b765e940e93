import { FULL_PRICE_PPM } from '@tollgate/core/money/money';
import { formatMultiplier } from '@tollgate/core/money/multiplier';
import { chargedPpm, type ChargingTerms } from '@tollgate/core/money/plan-price';

/**
 * What prices that include the plan's multiplier leave open.
 * @returns null if the account pays the list prices
 */
export function describePlanPrice(plan: ChargingTerms): string | null {
  const ppm = chargedPpm(plan);
  if (ppm === FULL_PRICE_PPM) return null;
  if (ppm === 0) return 'Your plan charges nothing.';
  return `Your plan's multiplier of ${formatMultiplier(ppm)} is included.`;
}
