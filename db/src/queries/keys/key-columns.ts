import { sql } from 'drizzle-orm';
import { apiKeys, keyTotals } from '../../schema/api-keys.ts';

/** The fields of a key that every reader needs: its scope, its state and its spend. */
export interface KeyFields {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  allowedModels: string[] | null;
  maxBudgetNanoUsd: bigint | null;
  /** Spend that counts against its budget, as recorded when the key was read. */
  spentNanoUsd: bigint;
  rpm: number | null;
  tpm: number | null;
  /** When it stops: its expiry, or the end of its rotation if that is sooner. */
  expiresAt: Date | null;
  createdAt: Date;
  revokedAt: Date | null;
}

/** NULL counts for nothing here: https://www.postgresql.org/docs/current/functions-conditional.html */
const KEY_END = sql<Date | null>`least(${apiKeys.expiresAt}, ${apiKeys.endsAt})`.mapWith(apiKeys.expiresAt);

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
  expiresAt: KEY_END,
  createdAt: apiKeys.createdAt,
  revokedAt: apiKeys.revokedAt,
};
