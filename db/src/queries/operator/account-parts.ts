import type { Role } from '@tollgate/core/people/roles';
import { asc, desc, eq, isNotNull } from 'drizzle-orm';
import { memberships } from '../../schema/accounts.ts';
import { apiKeys, keyTotals } from '../../schema/api-keys.ts';
import { passkeys, totpSecrets } from '../../schema/second-factors.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';

export interface AccountMember {
  userId: string;
  email: string;
  emailVerifiedAt: Date | null;
  isOperator: boolean;
  role: Role;
  joinedAt: Date;
  /** An authenticator app that sign-ins require. */
  hasTwoFactor: boolean;
  passkeys: number;
}

/** Members of an account, at most `limit`, the longest-standing first. */
export async function listMembersForOperator(
  db: Connection,
  query: { accountId: string; limit: number },
): Promise<AccountMember[]> {
  return db.drizzle
    .select({
      userId: users.id,
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      isOperator: users.isOperator,
      role: memberships.role,
      joinedAt: memberships.createdAt,
      hasTwoFactor: isNotNull(totpSecrets.confirmedAt).mapWith(Boolean),
      passkeys: db.drizzle.$count(passkeys, eq(passkeys.userId, users.id)),
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(totpSecrets, eq(totpSecrets.userId, users.id))
    .where(eq(memberships.accountId, query.accountId))
    .orderBy(asc(memberships.createdAt), asc(users.id))
    .limit(query.limit);
}

export interface AccountKey {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  maxBudgetNanoUsd: bigint | null;
  spentNanoUsd: bigint;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/** The newest keys of an account, whatever their state. */
export async function listKeysForOperator(
  db: Connection,
  query: { accountId: string; limit: number },
): Promise<AccountKey[]> {
  return db.drizzle
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      prefix: apiKeys.prefix,
      last4: apiKeys.last4,
      maxBudgetNanoUsd: apiKeys.maxBudgetNanoUsd,
      spentNanoUsd: keyTotals.spentNanoUsd,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: keyTotals.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .where(eq(apiKeys.accountId, query.accountId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(query.limit);
}
