import type { PlanTerms } from '@tollgate/db/queries/plans/plans';
import { z } from 'zod';
import { amountOption } from '../../options/amount-option.ts';
import { integerOption } from '../../options/integer-option.ts';
import { modelListOption } from '../../options/model-list-option.ts';
import { multiplierOption } from '../../options/multiplier-option.ts';

const NO_LIMIT = 'none';
const ALL_MODELS = 'all';

/** Parses `none` as null: no limit. */
function limitOption(max: number) {
  const limit = integerOption({ min: 1, max });
  return z.union([z.literal(NO_LIMIT).transform(() => null), limit], {
    error: `must be a whole number from 1 to ${max}, or ${NO_LIMIT}`,
  });
}

const modelsOption = modelListOption
  .refine((ids) => ids.length > 0 && ids.length <= 200, 'must list 1 to 200 models')
  .refine((ids) => new Set(ids).size === ids.length, 'must not list a model twice')
  .transform((ids) => (ids.length === 1 && ids[0] === ALL_MODELS ? null : ids));

export const planNameOption = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'must have 1 to 63 lowercase letters, digits, dots, dashes and underscores',
  );

/** Flags for the terms of a plan. An update leaves terms without a flag unchanged. */
export const planTermsShape = {
  models: modelsOption.optional(),
  rpm: limitOption(1_000_000).optional(),
  tpm: limitOption(1_000_000_000).optional(),
  priceMultiplier: multiplierOption.optional(),
  includedCredit: amountOption.optional(),
  prepaid: z.boolean().optional(),
  notPrepaid: z.boolean().optional(),
  unknownMembers: z.enum(['forward', 'drop', 'auto'], 'must be forward, drop or auto').optional(),
};
const termsSchema = z.object(planTermsShape);

export const PLAN_TERM_OPTIONS = [
  { flags: '--models <ids>', about: `allowed models, comma-separated, or ${ALL_MODELS}` },
  { flags: '--rpm <n>', about: `requests per minute for all keys of an account, or ${NO_LIMIT}` },
  { flags: '--tpm <n>', about: `tokens per minute for all keys of an account, or ${NO_LIMIT}` },
  {
    flags: '--price-multiplier <factor>',
    about: 'factor applied to model prices, for example 1.2 for 20% more',
  },
  { flags: '--included-credit <usd>', about: 'one-time credit, granted once the owner verifies their email' },
  { flags: '--not-prepaid', about: 'record usage without charging balances' },
  {
    flags: '--unknown-members <rule>',
    about: 'forward or drop unknown request fields; auto drops them if the plan charges for usage',
  },
];

/** Converts the given flags to plan terms. */
export function readTerms(input: z.infer<typeof termsSchema>): Partial<PlanTerms> {
  const { models, rpm, tpm, priceMultiplier, includedCredit, prepaid, notPrepaid, unknownMembers } = input;
  return {
    ...(models !== undefined && { allowedModels: models }),
    ...(rpm !== undefined && { rpm }),
    ...(tpm !== undefined && { tpm }),
    ...(priceMultiplier !== undefined && { pricePpm: priceMultiplier }),
    ...(includedCredit !== undefined && { includedCreditNanoUsd: includedCredit }),
    ...(unknownMembers !== undefined && {
      forwardsUnknown: unknownMembers === 'auto' ? null : unknownMembers === 'forward',
    }),
    ...((prepaid ?? notPrepaid) !== undefined && { isPrepaid: notPrepaid !== true }),
  };
}
