import { and, asc, desc, eq } from 'drizzle-orm';
import { memberships } from '../schema/accounts.ts';
import { apiKeys, keyTotals } from '../schema/api-keys.ts';
import { users } from '../schema/users.ts';
import type { Connection } from '../transaction.ts';

export interface KeyOverview {
  id: string;
  accountId: string;
  /** The e-mail of the account's owner. */
  accountEmail: string;
  name: string;
  prefix: string;
  last4: string;
  allowedModels: string[] | null;
  maxBudgetNanoUsd: bigint | null;
  spentNanoUsd: bigint;
  rpm: number | null;
  tpm: number | null;
  expiresAt: Date | null;
  createdAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/** All keys of an account, the newest first. */
export async function listKeysOfAccount(db: Connection, accountId: string): Promise<KeyOverview[]> {
  return selectKeys(db)
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

/** @returns null where there is no key of that id in any account */
export async function findKeyOverview(db: Connection, keyId: string): Promise<KeyOverview | null> {
  const [key] = await selectKeys(db)
    .where(eq(apiKeys.id, keyId))
    .orderBy(asc(memberships.createdAt))
    .limit(1);
  return key ?? null;
}

function selectKeys(db: Connection) {
  return db.drizzle
    .select({
      id: apiKeys.id,
      accountId: apiKeys.accountId,
      accountEmail: users.email,
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
      lastUsedAt: keyTotals.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .innerJoin(memberships, and(eq(memberships.accountId, apiKeys.accountId), eq(memberships.role, 'owner')))
    .innerJoin(users, eq(users.id, memberships.userId));
}
