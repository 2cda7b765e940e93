import { mintApiKey } from '@tollgate/auth/api-key';
import { systemClock } from '@tollgate/core/runtime/clock';
import type { KeyScope } from '@tollgate/core/keys/key-scope';
import type { Database } from '@tollgate/db/client';
import { createKey, type ApiKey } from '@tollgate/db/queries/keys/keys';
import { createUserWithAccount, type User } from '@tollgate/db/queries/users/users';

let serial = 0;

/**
 * A person with a verified email and an owned account. No password matches the hash. The default plan is `internal`, which
 * charges nothing.
 */
export async function createAccountFixture(
  db: Database,
  input: { email?: string; verified?: boolean; isOperator?: boolean; planId?: string } = {},
): Promise<{ user: User; accountId: string }> {
  serial += 1;
  const created = await createUserWithAccount(db, {
    email: input.email ?? `person-${serial}@example.com`,
    passwordHash: 'no password',
    emailVerifiedAt: input.verified === false ? null : new Date(),
    isOperator: input.isOperator ?? false,
    planId: input.planId ?? 'internal',
  });
  if (created === null) throw new Error('The email of the fixture is taken');
  return created;
}

/** A scope without limits. */
export const OPEN_SCOPE: KeyScope = {
  name: 'test key',
  allowedModels: null,
  maxBudgetUsd: null,
  rpm: null,
  tpm: null,
  expiresAt: null,
};

/** An account's key, with only the given limits. `secret` is the key itself. */
export async function createKeyFixture(
  db: Database,
  accountId: string,
  scope: Partial<KeyScope> = {},
): Promise<{ key: ApiKey; secret: string }> {
  const minted = mintApiKey();
  const created = await createKey(db, systemClock, {
    accountId,
    createdBy: null,
    scope: { ...OPEN_SCOPE, ...scope },
    minted,
  });
  if (!created.ok) throw new Error(`The key of the fixture was refused: ${created.reason}`);
  return { key: created.key, secret: minted.key };
}
