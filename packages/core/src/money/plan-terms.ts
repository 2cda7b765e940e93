import { allowedModelSchema } from '../models/model-pattern.ts';
import { z } from 'zod';
import { parseUsd } from './money.ts';
import { parseMultiplier } from './multiplier.ts';

const MAX_CREDIT_NANO_USD = 1_000_000_000_000_000n;

export const planIdSchema = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'Use 1 to 63 lowercase letters, digits, dots, dashes and underscores',
  );

const limitSchema = (max: number) =>
  z
    .int('Enter a whole number')
    .min(1, 'Must be at least 1')
    .max(max, `Must be at most ${max.toLocaleString('en-US')}`)
    .nullable();

/**
 * Terms of a plan as operators enter them; validated by client and server. `null` means no limit. This is the one list of
 * terms: every place that handles them has a `Record<PlanTermsField, …>` or a function that the compiler checks against it.
 */
export const planTermsSchema = z.object({
  /** IDs, and patterns such as `claude-*`; null: all models. */
  allowedModels: z
    .array(allowedModelSchema)
    .min(1, 'Choose at least one model, or allow all of them')
    .max(200, 'A plan can list at most 200 models')
    .refine((ids) => new Set(ids).size === ids.length, 'A model is listed twice')
    .nullable(),
  /** For all keys of an account together. */
  rpm: limitSchema(1_000_000),
  tpm: limitSchema(1_000_000_000),
  /** Factor on the model's price: `1.2`. */
  priceMultiplier: z
    .string()
    .trim()
    .refine(
      (text) => parseMultiplier(text) !== null,
      'Enter a factor from 0 to 100 with at most 6 decimals, such as 1.2',
    ),
  /** Factor on the model's price for requests with a credential of the account, which pays its provider itself. */
  ownCredentialFee: z
    .string()
    .trim()
    .refine(
      (text) => parseMultiplier(text) !== null,
      'Enter a factor from 0 to 100 with at most 6 decimals, such as 0.05',
    )
    .default('0'),
  /** Granted once to each account. */
  includedCreditUsd: z
    .string()
    .trim()
    .refine((text) => {
      const amount = parseUsd(text);
      return amount !== null && amount >= 0n && amount <= MAX_CREDIT_NANO_USD;
    }, 'Enter an amount in USD, such as 0 or 2.50, at most $1,000,000'),
  isPrepaid: z.boolean(),
  /** Whether unknown request members are forwarded; null: only if the plan is not billed. */
  forwardsUnknown: z.boolean().nullable().default(null),
  /** Whether tokens per minute count input that a provider read from its cache; null: as the model's maker counts it. */
  countsCacheReads: z.boolean().nullable().default(null),
});

export type PlanTermsInput = z.output<typeof planTermsSchema>;
export type PlanTermsField = keyof PlanTermsInput;

/** All terms, in the order of the schema. */
export const PLAN_TERMS_FIELDS: readonly PlanTermsField[] = planTermsSchema.keyof().options;
