import { eq } from 'drizzle-orm';
import type { Database } from '../client.ts';
import { accounts } from '../schema/accounts.ts';
import { apiKeys, keyTotals } from '../schema/api-keys.ts';

/** What the api must know of a key to serve it. */
export interface KeyRecord {
  id: string;
  accountId: string;
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
  accountSuspendedAt: Date | null;
}

/** @param hash SHA-256 of the key */
export async function findKeyByHash(db: Database, hash: Buffer): Promise<KeyRecord | null> {
  const [row] = await db.drizzle
    .select({
      id: apiKeys.id,
      accountId: apiKeys.accountId,
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
      accountSuspendedAt: accounts.suspendedAt,
    })
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.hash, hash));
  return row ?? null;
}
