import { sql } from 'drizzle-orm';
import { apiKeys, keyTotals } from '../../schema/api-keys.ts';
import { SCOPE_COLUMNS, type StoredScope } from './scope-columns.ts';

/** The fields of a key that every reader needs: its scope, its state and its spend. */
export interface KeyFields extends StoredScope {
  id: string;
  prefix: string;
  last4: string;
  /** Spend that counts against its budget, as recorded when the key was read. */
  spentNanoUsd: bigint;
  /** When it stops: its expiry, or the end of its rotation if that is sooner. */
  expiresAt: Date | null;
  createdAt: Date;
  revokedAt: Date | null;
}

/** NULL counts for nothing here: https://www.postgresql.org/docs/current/functions-conditional.html */
const KEY_END = sql<Date | null>`least(${apiKeys.expiresAt}, ${apiKeys.endsAt})`.mapWith(apiKeys.expiresAt);

/** The same as columns, of `api_keys` joined with `key_totals`. */
export const KEY_COLUMNS = {
  ...SCOPE_COLUMNS,
  id: apiKeys.id,
  prefix: apiKeys.prefix,
  last4: apiKeys.last4,
  spentNanoUsd: keyTotals.spentNanoUsd,
  expiresAt: KEY_END,
  createdAt: apiKeys.createdAt,
  revokedAt: apiKeys.revokedAt,
};
