import { allowedModelSchema } from '@tollgate/core/models/model-pattern';
import type { PlanTermsField } from '@tollgate/core/money/plan-terms';
import type { PlanTerms } from '@tollgate/db/queries/plans/plan-terms';
import { z } from 'zod';
import type { CommandOption } from '../../command.ts';
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
  .refine(
    (ids) => ids.every((id) => allowedModelSchema.safeParse(id).success),
    'must have an asterisk only at the end of an entry, such as claude-*',
  )
  .refine((ids) => new Set(ids).size === ids.length, 'must not list a model twice')
  .transform((ids) => (ids.length === 1 && ids[0] === ALL_MODELS ? null : ids));

export const planNameOption = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'must have 1 to 63 lowercase letters, digits, dots, dashes and underscores',
  );

/** What a person types for the terms of a plan. An update leaves terms without a flag unchanged. */
export const planTermsShape = {
  models: modelsOption.optional(),
  rpm: limitOption(1_000_000).optional(),
  tpm: limitOption(1_000_000_000).optional(),
  priceMultiplier: multiplierOption.optional(),
  ownCredentialFee: multiplierOption.optional(),
  includedCredit: amountOption.optional(),
  notPrepaid: z.boolean().optional(),
  unknownMembers: z.enum(['forward', 'drop', 'auto'], 'must be forward, drop or auto').optional(),
  tpmCacheReads: z.enum(['count', 'skip', 'auto'], 'must be count, skip or auto').optional(),
};
const termsSchema = z.object(planTermsShape);
export type TypedTerms = z.infer<typeof termsSchema>;

interface TermOption extends CommandOption {
  read: (typed: TypedTerms) => Partial<PlanTerms>;
}

/** The option of each term, and how it is read. */
const TERM_OPTIONS: Record<PlanTermsField, TermOption> = {
  allowedModels: {
    flags: '--models <ids>',
    about: `allowed models or patterns such as claude-*, comma-separated, or ${ALL_MODELS}`,
    read: ({ models }) => (models === undefined ? {} : { allowedModels: models }),
  },
  rpm: {
    flags: '--rpm <n>',
    about: `requests per minute for all keys of an account, or ${NO_LIMIT}`,
    read: ({ rpm }) => (rpm === undefined ? {} : { rpm }),
  },
  tpm: {
    flags: '--tpm <n>',
    about: `tokens per minute for all keys of an account, or ${NO_LIMIT}`,
    read: ({ tpm }) => (tpm === undefined ? {} : { tpm }),
  },
  priceMultiplier: {
    flags: '--price-multiplier <factor>',
    about: 'factor applied to model prices, for example 1.2 for 20% more',
    read: ({ priceMultiplier }) => (priceMultiplier === undefined ? {} : { pricePpm: priceMultiplier }),
  },
  ownCredentialFee: {
    flags: '--own-credential-fee <factor>',
    about:
      "factor on the model's price for requests with a credential of the account, for example 0.05 for 5%",
    read: ({ ownCredentialFee }) =>
      ownCredentialFee === undefined ? {} : { ownCredentialPpm: ownCredentialFee },
  },
  includedCreditUsd: {
    flags: '--included-credit <usd>',
    about: 'one-time credit, granted once the owner verifies their email',
    read: ({ includedCredit }) =>
      includedCredit === undefined ? {} : { includedCreditNanoUsd: includedCredit },
  },
  isPrepaid: {
    flags: '--not-prepaid',
    about: 'record usage without charging balances',
    read: ({ notPrepaid }) => (notPrepaid === undefined ? {} : { isPrepaid: !notPrepaid }),
  },
  forwardsUnknown: {
    flags: '--unknown-members <rule>',
    about: 'forward or drop unknown request fields; auto drops them if the plan charges for usage',
    read: ({ unknownMembers: rule }) =>
      rule === undefined ? {} : { forwardsUnknown: rule === 'auto' ? null : rule === 'forward' },
  },
  countsCacheReads: {
    flags: '--tpm-cache-reads <rule>',
    about: 'count or skip cached input in the tokens per minute; auto skips it for Claude models',
    read: ({ tpmCacheReads: rule }) =>
      rule === undefined ? {} : { countsCacheReads: rule === 'auto' ? null : rule === 'count' },
  },
};

export const PLAN_TERM_OPTIONS: readonly CommandOption[] = Object.values(TERM_OPTIONS);

/** Converts the given flags to plan terms. */
export function readTerms(typed: TypedTerms): Partial<PlanTerms> {
  return Object.values(TERM_OPTIONS).reduce((terms, { read }) => ({ ...terms, ...read(typed) }), {});
}
