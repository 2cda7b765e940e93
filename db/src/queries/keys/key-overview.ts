import { and, asc, desc, eq } from 'drizzle-orm';
import { memberships } from '../../schema/accounts.ts';
import { apiKeys, keyTotals } from '../../schema/api-keys.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';
import { KEY_COLUMNS, type KeyFields } from './key-columns.ts';

export interface KeyOverview extends KeyFields {
  accountId: string;
  /** The email of the account's owner. */
  accountEmail: string;
  lastUsedAt: Date | null;
  tags: string[];
}

/** All keys of an account, the newest first. */
export async function listKeysOfAccount(db: Connection, accountId: string): Promise<KeyOverview[]> {
  return selectKeys(db)
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

/** @returns null if no account has a key of that id */
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
      ...KEY_COLUMNS,
      accountId: apiKeys.accountId,
      accountEmail: users.email,
      lastUsedAt: keyTotals.lastUsedAt,
      tags: apiKeys.tags,
    })
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .innerJoin(memberships, and(eq(memberships.accountId, apiKeys.accountId), eq(memberships.role, 'owner')))
    .innerJoin(users, eq(users.id, memberships.userId));
}
