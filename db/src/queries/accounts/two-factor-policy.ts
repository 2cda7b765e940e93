import { and, eq, ne, sql } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { installationSettings } from '../../schema/installation.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { recordAudit } from '../audit/audit.ts';

export interface TwoFactorPolicy {
  required: boolean;
  /** Members under the policy who have neither an authenticator nor a passkey. */
  peopleWithout: number;
}

/**
 * True if the person of the query's table `users` has an authenticator that sign-ins require, or a passkey. Names are
 * written out, because Drizzle omits the table's name in queries of one table.
 */
export const hasSecondFactor = sql<boolean>`(
  EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = users.id AND t.confirmed_at IS NOT NULL)
  OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = users.id))`;

const membersWithout = sql<number>`(
  SELECT count(*) FROM memberships JOIN users ON users.id = memberships.user_id
  WHERE memberships.account_id = accounts.id AND NOT ${hasSecondFactor})`.mapWith(Number);

const operatorsWithout = sql<number>`(
  SELECT count(*) FROM users
  WHERE users.is_operator AND users.deleted_at IS NULL AND NOT ${hasSecondFactor})`.mapWith(Number);

/** @returns null if there is no such account */
export async function readAccountTwoFactor(
  db: Connection,
  accountId: string,
): Promise<TwoFactorPolicy | null> {
  const [row] = await db.drizzle
    .select({ required: accounts.requiresTwoFactor, peopleWithout: membersWithout })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row ?? null;
}

interface PolicyChange {
  required: boolean;
  /** null: the command line. */
  actorUserId: string | null;
}

/** @returns false if the account had this policy before, or there is no such account */
export async function setAccountTwoFactor(
  db: Connection,
  change: PolicyChange & { accountId: string },
): Promise<boolean> {
  const { accountId, required, actorUserId } = change;
  return inTransaction(db, async (tx) => {
    const changed = await tx.drizzle
      .update(accounts)
      .set({ requiresTwoFactor: required })
      .where(and(eq(accounts.id, accountId), ne(accounts.requiresTwoFactor, required)))
      .returning({ id: accounts.id });
    if (changed.length === 0) return false;
    const action = required ? 'account.two_factor_required' : 'account.two_factor_optional';
    await recordAudit(tx, { actorUserId, accountId, action, subject: accountId });
    return true;
  });
}

export async function readOperatorTwoFactor(db: Connection): Promise<TwoFactorPolicy> {
  const [row] = await db.drizzle
    .select({ required: installationSettings.operatorsRequireTwoFactor, peopleWithout: operatorsWithout })
    .from(installationSettings);
  if (row === undefined) throw new Error('The installation has no settings');
  return row;
}

/** @returns false if it was the policy before */
export async function setOperatorTwoFactor(
  db: Connection,
  change: PolicyChange & { now: Date },
): Promise<boolean> {
  const { required, now, actorUserId } = change;
  return inTransaction(db, async (tx) => {
    const changed = await tx.drizzle
      .update(installationSettings)
      .set({ operatorsRequireTwoFactor: required, updatedAt: now })
      .where(ne(installationSettings.operatorsRequireTwoFactor, required))
      .returning({ id: installationSettings.id });
    if (changed.length === 0) return false;
    const action = required ? 'installation.two_factor_required' : 'installation.two_factor_optional';
    await recordAudit(tx, { actorUserId, action, subject: 'installation' });
    return true;
  });
}

/** True if any account of a person requires a second factor. */
export async function isInStrictAccount(db: Connection, userId: string): Promise<boolean> {
  const rows = await db.drizzle
    .select({ id: accounts.id })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.userId, userId), eq(accounts.requiresTwoFactor, true)))
    .limit(1);
  return rows.length > 0;
}
