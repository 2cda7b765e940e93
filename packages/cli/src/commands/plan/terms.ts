import type { PlanTerms } from '@tollgate/db/queries/plans/plans';
import { z } from 'zod';
import { amountOption } from '../../options/amount-option.ts';
import { integerOption } from '../../options/integer-option.ts';
import { modelListOption } from '../../options/model-list-option.ts';
import { multiplierOption } from '../../options/multiplier-option.ts';

const NO_LIMIT = 'none';
const ALL_MODELS = 'all';

/** `none` as typed is null: no limit. */
function limitOption(max: number) {
  const limit = integerOption({ min: 1, max });
  return z.union([z.literal(NO_LIMIT).transform(() => null), limit], {
    error: `must be a whole number from 1 to ${max}, or ${NO_LIMIT}`,
  });
}

const modelsOption = modelListOption
  .refine((ids) => ids.length > 0 && ids.length <= 200, 'must name from 1 to 200 models')
  .refine((ids) => new Set(ids).size === ids.length, 'names a model twice')
  .transform((ids) => (ids.length === 1 && ids[0] === ALL_MODELS ? null : ids));

export const planNameOption = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'must have lower-case letters, digits, dots, dashes and underscores, 63 at most',
  );

/** The flags that say what a plan is; those that are not typed are left as they are. */
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
  { flags: '--models <ids>', about: `models it may use, separated by commas; ${ALL_MODELS} for every one` },
  { flags: '--rpm <n>', about: `requests per minute over all keys of an account, or ${NO_LIMIT}` },
  { flags: '--tpm <n>', about: `tokens per minute over all keys of an account, or ${NO_LIMIT}` },
  {
    flags: '--price-multiplier <factor>',
    about: "what a request costs, of the model's price: 1.2 is a fifth more",
  },
  { flags: '--included-credit <usd>', about: 'given once to an account whose owner has a verified e-mail' },
  { flags: '--not-prepaid', about: 'record usage and charge nothing' },
  {
    flags: '--unknown-members <rule>',
    about:
      'forward or drop request members that no contract knows; auto drops them if the plan charges money',
  },
];

/** What was typed, as the terms of a plan. */
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
