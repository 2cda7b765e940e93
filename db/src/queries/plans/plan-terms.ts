import { formatUsd, parseUsd } from '@tollgate/core/money/money';
import { formatMultiplier, parseMultiplier } from '@tollgate/core/money/multiplier';
import type { PlanTermsInput } from '@tollgate/core/money/plan-terms';
import type { plans } from '../../schema/plans.ts';

export type Plan = typeof plans.$inferSelect;
/** Terms of a plan that can change; they apply to requests that start later, on every replica. */
export type PlanTerms = Omit<Plan, 'id' | 'createdAt'>;

/** @param terms validated by the schema */
export function encodePlanTerms(terms: PlanTermsInput): PlanTerms {
  const pricePpm = parseMultiplier(terms.priceMultiplier);
  const ownCredentialPpm = parseMultiplier(terms.ownCredentialFee);
  const includedCreditNanoUsd = parseUsd(terms.includedCreditUsd);
  if (pricePpm === null || ownCredentialPpm === null || includedCreditNanoUsd === null)
    throw new Error('The terms were not validated');
  return {
    allowedModels: terms.allowedModels,
    rpm: terms.rpm,
    tpm: terms.tpm,
    pricePpm,
    ownCredentialPpm,
    includedCreditNanoUsd,
    isPrepaid: terms.isPrepaid,
    forwardsUnknown: terms.forwardsUnknown,
    countsCacheReads: terms.countsCacheReads,
  };
}

/** The terms as an operator enters them; encoding the result gives the same terms. */
export function decodePlanTerms(plan: PlanTerms): PlanTermsInput {
  return {
    allowedModels: plan.allowedModels,
    rpm: plan.rpm,
    tpm: plan.tpm,
    priceMultiplier: formatMultiplier(plan.pricePpm),
    ownCredentialFee: formatMultiplier(plan.ownCredentialPpm),
    includedCreditUsd: formatUsd(plan.includedCreditNanoUsd),
    isPrepaid: plan.isPrepaid,
    forwardsUnknown: plan.forwardsUnknown,
    countsCacheReads: plan.countsCacheReads,
  };
}
