import { z } from 'zod';
import { allowedModelSchema } from '../models/model-pattern.ts';
import { parseUsd } from '../money/money.ts';

/** Limits of a key's scope, validated by client and server. */
export const KEY_SCOPE_LIMITS = {
  nameLength: 80,
  models: 200,
  maxBudgetUsd: 1_000_000,
  rpm: 1_000_000,
  tpm: 1_000_000_000,
} as const;

const MAX_BUDGET_NANO_USD = BigInt(KEY_SCOPE_LIMITS.maxBudgetUsd) * 1_000_000_000n;

/** A dollar amount as entered (`"10"`, `"0.25"`): more than 0, at most 1,000,000 USD, at most 9 decimals. */
const maxBudgetUsdSchema = z
  .string()
  .trim()
  .refine(
    (text) => parseUsd(text) !== null,
    'Enter an amount in USD with at most 9 decimals, such as 10 or 0.25',
  )
  .refine((text) => (parseUsd(text) ?? 1n) > 0n, 'The budget must be more than $0')
  .refine((text) => (parseUsd(text) ?? 0n) <= MAX_BUDGET_NANO_USD, 'The budget can be at most $1,000,000');

/**
 * Scope of a key, fixed at creation. `null` means no limit on the key. Its fields are the one list of what a scope has:
 * every place that handles them has a `Record<KeyScopeField, …>`, so that the compiler names a place that lacks a field.
 */
export const keyScopeSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name for the key')
    .max(KEY_SCOPE_LIMITS.nameLength, `Use at most ${KEY_SCOPE_LIMITS.nameLength} characters`),
  /** IDs, and patterns such as `claude-*`; null: all models, including future ones. */
  allowedModels: z
    .array(allowedModelSchema)
    .min(1, 'Choose at least one model, or allow all of them')
    .max(KEY_SCOPE_LIMITS.models, `A key can list at most ${KEY_SCOPE_LIMITS.models} models`)
    .refine((models) => new Set(models).size === models.length, 'A model is listed twice')
    .nullable(),
  maxBudgetUsd: maxBudgetUsdSchema.nullable(),
  rpm: z
    .int('Requests per minute must be a whole number')
    .min(1, 'Requests per minute must be at least 1')
    .max(KEY_SCOPE_LIMITS.rpm, 'Requests per minute can be at most 1,000,000')
    .nullable(),
  tpm: z
    .int('Tokens per minute must be a whole number')
    .min(1, 'Tokens per minute must be at least 1')
    .max(KEY_SCOPE_LIMITS.tpm, 'Tokens per minute can be at most 1,000,000,000')
    .nullable(),
  /** ISO 8601 with an offset, in the future when the key is created. null: never. */
  expiresAt: z.iso.datetime({ offset: true, error: 'Enter a date and time' }).nullable(),
});

export type KeyScope = z.infer<typeof keyScopeSchema>;
export type KeyScopeField = keyof KeyScope;

/** All fields of a scope, in the order of the schema. */
export const KEY_SCOPE_FIELDS: readonly KeyScopeField[] = keyScopeSchema.keyof().options;
