import {
  planIdSchema,
  planTermsSchema,
  type PlanTermsField,
  type PlanTermsInput,
} from '@tollgate/core/money/plan-terms';
import { z } from 'zod';
import type { OperatorPlan } from '../operator-types.ts';

/** A limit as entered. Empty means no limit. */
const limitText = z
  .string()
  .trim()
  .transform((text) => (text === '' ? null : Number(text.replace(/[,\s]/g, ''))));

/** Parses the form into plan terms with the server's rules. */
const termFields = {
  allowedModels: planTermsSchema.shape.allowedModels,
  rpm: limitText.pipe(planTermsSchema.shape.rpm),
  tpm: limitText.pipe(planTermsSchema.shape.tpm),
  priceMultiplier: planTermsSchema.shape.priceMultiplier,
  ownCredentialFee: planTermsSchema.shape.ownCredentialFee,
  includedCreditUsd: planTermsSchema.shape.includedCreditUsd,
  isPrepaid: z.boolean(),
  forwardsUnknown: z
    .enum(['auto', 'forward', 'drop'])
    .transform((rule) => (rule === 'auto' ? null : rule === 'forward')),
  countsCacheReads: z
    .enum(['auto', 'count', 'skip'])
    .transform((rule) => (rule === 'auto' ? null : rule === 'count')),
} satisfies Record<PlanTermsField, z.ZodType>;

export const planFormSchema = z.object({ id: planIdSchema, ...termFields });

export type PlanForm = z.input<typeof planFormSchema>;
export type PlanFormResult = { id: string } & PlanTermsInput;

/** @param plan null for a new plan */
export function getPlanForm(plan: OperatorPlan | null): PlanForm {
  if (plan === null)
    return {
      id: '',
      allowedModels: null,
      rpm: '',
      tpm: '',
      priceMultiplier: '1',
      ownCredentialFee: '0',
      includedCreditUsd: '0',
      isPrepaid: true,
      forwardsUnknown: 'auto',
      countsCacheReads: 'auto',
    };
  const { id, allowedModels, rpm, tpm, priceMultiplier, includedCreditUsd, isPrepaid } = plan;
  const { forwardsUnknown, countsCacheReads, ownCredentialFee } = plan;
  return {
    id,
    allowedModels,
    rpm: rpm?.toString() ?? '',
    tpm: tpm?.toString() ?? '',
    priceMultiplier,
    ownCredentialFee,
    includedCreditUsd,
    isPrepaid,
    forwardsUnknown: forwardsUnknown === null ? 'auto' : forwardsUnknown ? 'forward' : 'drop',
    countsCacheReads: countsCacheReads === null ? 'auto' : countsCacheReads ? 'count' : 'skip',
  };
}
