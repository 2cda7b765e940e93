import { createId } from '@tollgate/core/runtime/ids';
import { and, asc, count, eq, isNull, sql, sum } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { apiKeys, keyTotals } from '../../schema/api-keys.ts';
import { auditLog } from '../../schema/audit-log.ts';
import { balances } from '../../schema/ledger.ts';
import { plans } from '../../schema/plans.ts';
import { users } from '../../schema/users.ts';
import { inTransaction, type Connection } from '../../transaction.ts';

export interface AccountOverview {
  id: string;
  /** The owner's. */
  email: string;
  emailVerifiedAt: Date | null;
  isOperator: boolean;
  suspendedAt: Date | null;
  createdAt: Date;
  /** Keys that are not revoked. */
  keys: number;
  /** By all of its keys, ever. */
  spentNanoUsd: bigint;
  planId: string;
  /** False: its plan charges nothing, and the balance stays as it is. */
  isPrepaid: boolean;
  /** The balance, including held amounts. */
  availableNanoUsd: bigint;
  /** For requests in flight. */
  heldNanoUsd: bigint;
}

/** Every account with its owner, the oldest first. */
export async function listAccounts(db: Connection): Promise<AccountOverview[]> {
  return selectOverviews(db).orderBy(asc(accounts.createdAt), asc(accounts.id));
}

/**
 * The account that a person owns.
 * @param email in any case
 * @returns null if no user with that email owns an account
 */
export async function findAccountByEmail(db: Connection, email: string): Promise<AccountOverview | null> {
  const [account] = await selectOverviews(db)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()))
    .orderBy(asc(accounts.createdAt), asc(accounts.id))
    .limit(1);
  return account ?? null;
}

/**
 * Suspends an account or resumes it; the trigger notifies every replica.
 * @returns false if it was in that state already
 */
export async function setAccountSuspended(
  db: Connection,
  input: {
    accountId: string;
    suspended: boolean;
    now: Date;
    /** null or absent: the command line. */
    actorUserId?: string | null;
    /** In the operator's words; the account's members may read it in their audit log. */
    reason?: string;
  },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const changed = await tx.drizzle
      .update(accounts)
      .set({ suspendedAt: input.suspended ? input.now : null })
      .where(
        and(
          eq(accounts.id, input.accountId),
          input.suspended ? isNull(accounts.suspendedAt) : sql`${accounts.suspendedAt} IS NOT NULL`,
        ),
      )
      .returning({ id: accounts.id });
    if (changed.length === 0) return false;
    await tx.drizzle.insert(auditLog).values({
      id: createId('aud'),
      actorUserId: input.actorUserId ?? null,
      accountId: input.accountId,
      action: input.suspended ? 'account.suspend' : 'account.resume',
      subject: input.accountId,
      detail: input.reason === undefined ? {} : { reason: input.reason },
    });
    return true;
  });
}

function selectOverviews(db: Connection) {
  const keyUse = db.drizzle
    .select({
      accountId: apiKeys.accountId,
      keys: count(sql`CASE WHEN ${apiKeys.revokedAt} IS NULL THEN 1 END`).as('keys'),
      spent: sum(keyTotals.spentNanoUsd).as('spent'),
    })
    .from(apiKeys)
    .innerJoin(keyTotals, eq(keyTotals.keyId, apiKeys.id))
    .groupBy(apiKeys.accountId)
    .as('key_use');
  return db.drizzle
    .select({
      id: accounts.id,
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      isOperator: users.isOperator,
      suspendedAt: accounts.suspendedAt,
      createdAt: accounts.createdAt,
      keys: sql<number>`coalesce(${keyUse.keys}, 0)`.mapWith(Number),
      spentNanoUsd: sql<bigint>`coalesce(${keyUse.spent}, 0)`.mapWith(BigInt),
      planId: accounts.planId,
      isPrepaid: plans.isPrepaid,
      availableNanoUsd: balances.availableNanoUsd,
      heldNanoUsd: balances.heldNanoUsd,
    })
    .from(accounts)
    .innerJoin(plans, eq(plans.id, accounts.planId))
    .innerJoin(balances, eq(balances.accountId, accounts.id))
    .innerJoin(memberships, and(eq(memberships.accountId, accounts.id), eq(memberships.role, 'owner')))
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(keyUse, eq(keyUse.accountId, accounts.id));
}
