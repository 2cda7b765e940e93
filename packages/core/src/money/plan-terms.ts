import { z } from 'zod';
import { parseUsd } from './money.ts';
import { parseMultiplier } from './multiplier.ts';

const MAX_CREDIT_NANO_USD = 1_000_000_000_000_000n;

export const planIdSchema = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'Use 1 to 63 lower-case letters, digits, dots, dashes and underscores',
  );

const limitSchema = (max: number) =>
  z
    .int('Enter a whole number')
    .min(1, 'It must be at least 1')
    .max(max, `It can be at most ${max.toLocaleString('en-US')}`)
    .nullable();

/** What a plan is, as operators type it; checked on both sides of the wire. `null` means no limit. */
export const planTermsSchema = z.object({
  /** null: every model. */
  allowedModels: z
    .array(z.string().min(1).max(200))
    .min(1, 'Choose at least one model, or allow all of them')
    .max(200, 'A plan names at most 200 models')
    .refine((ids) => new Set(ids).size === ids.length, 'A model is listed twice')
    .nullable(),
  /** Over all keys of an account. */
  rpm: limitSchema(1_000_000),
  tpm: limitSchema(1_000_000_000),
  /** `1.2`: what a request costs, of the model's price. */
  priceMultiplier: z
    .string()
    .trim()
    .refine(
      (text) => parseMultiplier(text) !== null,
      'Enter a factor from 0 to 100 with at most 6 decimals, such as 1.2',
    ),
  /** Given once to each account. */
  includedCreditUsd: z
    .string()
    .trim()
    .refine((text) => {
      const amount = parseUsd(text);
      return amount !== null && amount >= 0n && amount <= MAX_CREDIT_NANO_USD;
    }, 'Enter an amount in USD, such as 0 or 2.50, at most $1,000,000'),
  isPrepaid: z.boolean(),
  /** Whether request members that no contract knows are forwarded; null: only if the plan charges no money. */
  forwardsUnknown: z.boolean().nullable().default(null),
});

export type PlanTermsInput = z.output<typeof planTermsSchema>;
