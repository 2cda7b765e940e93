import { eq } from 'drizzle-orm';
import type { Database } from '../client.ts';
import { accounts } from '../schema/accounts.ts';
import { apiKeys, keyTotals } from '../schema/api-keys.ts';
import { KEY_COLUMNS, type KeyFields } from './key-columns.ts';

/** What the api must know of a key to serve it. */
export interface KeyRecord extends KeyFields {
  accountId: string;
  accountSuspendedAt: Date | null;
}

/** @param hash SHA-256 of the key */
export async function findKeyByHash(db: Database, hash: Buffer): Promise<KeyRecord | null> {
  const [row] = await db.drizzle
    .select({
      ...KEY_COLUMNS,
      accountId: apiKeys.accountId,
      accountSuspendedAt: accounts.suspendedAt,
    })
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.hash, hash));
  return row ?? null;
}
