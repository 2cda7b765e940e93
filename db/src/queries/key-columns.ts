import { apiKeys, keyTotals } from '../schema/api-keys.ts';

/** What every reader of a key wants of it: its scope, its state and what it has spent. */
export interface KeyFields {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  allowedModels: string[] | null;
  maxBudgetNanoUsd: bigint | null;
  /** What was recorded when the key was read. */
  spentNanoUsd: bigint;
  rpm: number | null;
  tpm: number | null;
  expiresAt: Date | null;
  createdAt: Date;
  revokedAt: Date | null;
}

/** The same as columns, of `api_keys` joined with `key_totals`. */
export const KEY_COLUMNS = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  last4: apiKeys.last4,
  allowedModels: apiKeys.allowedModels,
  maxBudgetNanoUsd: apiKeys.maxBudgetNanoUsd,
  spentNanoUsd: keyTotals.spentNanoUsd,
  rpm: apiKeys.rpm,
  tpm: apiKeys.tpm,
  expiresAt: apiKeys.expiresAt,
  createdAt: apiKeys.createdAt,
  revokedAt: apiKeys.revokedAt,
};
