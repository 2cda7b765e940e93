import { and, asc, count, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { accounts, memberships } from '../../schema/accounts.ts';
import { apiKeys } from '../../schema/api-keys.ts';
import { identities } from '../../schema/identities.ts';
import { invitations } from '../../schema/invitations.ts';
import { balances } from '../../schema/ledger.ts';
import { ownCredentials } from '../../schema/own-credentials.ts';
import { oneTimeCodes } from '../../schema/one-time-codes.ts';
import { outbox } from '../../schema/outbox.ts';
import { billingDetails, billingDocuments } from '../../schema/documents.ts';
import { autoTopUps, balanceAlerts, payments, refundRequests } from '../../schema/payments.ts';
import { savedViews } from '../../schema/saved-views.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';
import { deletePasskeysOfUser } from './passkeys.ts';
import { blankPersonEvents } from '../audit/personal-audit.ts';
import { forgetDevices } from './known-devices.ts';
import { deleteAllStored } from '../retention/delete-stale.ts';
import { removeCustomers } from '../payments/payment-removals.ts';
import { NO_DETAILS } from '../documents/billing-details.ts';
import { deleteTotp } from './second-factors.ts';
import { deleteSessionsOfUser } from './sessions.ts';

export interface OwnedAccount {
  id: string;
  name: string;
  availableNanoUsd: bigint;
  /** For requests in flight. */
  heldNanoUsd: bigint;
  /** Members without the owner. */
  otherMembers: number;
  /** Keys that work. */
  keys: number;
}

/** Accounts that a person owns and that end with them. With `locked` their balances are locked in the transaction. */
export async function listOwnedAccounts(
  db: Connection,
  owner: { userId: string; locked?: boolean },
): Promise<OwnedAccount[]> {
  const query = db.drizzle
    .select({
      id: accounts.id,
      name: accounts.name,
      availableNanoUsd: balances.availableNanoUsd,
      heldNanoUsd: balances.heldNanoUsd,
      otherMembers: sql<number>`(SELECT count(*) FROM memberships other
        WHERE other.account_id = ${accounts.id} AND other.user_id <> ${owner.userId})`.mapWith(Number),
      keys: sql<number>`(SELECT count(*) FROM api_keys k
        WHERE k.account_id = ${accounts.id} AND k.revoked_at IS NULL)`.mapWith(Number),
    })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .innerJoin(balances, eq(balances.accountId, accounts.id))
    .where(and(eq(memberships.userId, owner.userId), eq(memberships.role, 'owner')))
    .orderBy(asc(accounts.createdAt), asc(accounts.id));
  return owner.locked === true ? query.for('no key update', { of: balances }) : query;
}

/** True if the user is the only operator of the installation. */
export async function isLastOperator(db: Connection, userId: string): Promise<boolean> {
  const operators = await db.drizzle
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isOperator, true), isNotNull(users.emailVerifiedAt)))
    .limit(2);
  return operators.length === 1 && operators[0]?.id === userId;
}

/** Revokes every key of accounts. @returns the number of revoked keys */
export async function revokeAllKeys(db: Connection, accountIds: string[], at: Date): Promise<number> {
  const revoked = await db.drizzle
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(inArray(apiKeys.accountId, accountIds), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return revoked.length;
}

/**
 * Erases a person's identifying data, and leaves what the books need: their row under a pseudonym, their accounts with
 * payments and usage. The ledger is not touched. Sent emails to them are deleted too.
 */
export async function erasePerson(
  tx: Connection,
  person: { userId: string; email: string; accountIds: string[]; at: Date },
): Promise<void> {
  const { userId, accountIds, at } = person;
  await deleteSessionsOfUser(tx, userId);
  await deletePasskeysOfUser(tx, userId);
  await forgetDevices(tx, userId);
  await blankPersonEvents(tx, userId);
  await deleteTotp(tx, userId);
  await tx.drizzle.delete(savedViews).where(eq(savedViews.ownerId, userId));
  await tx.drizzle.delete(identities).where(eq(identities.userId, userId));
  await tx.drizzle.delete(oneTimeCodes).where(eq(oneTimeCodes.userId, userId));
  await tx.drizzle.delete(invitations).where(eq(invitations.email, person.email));
  await tx.drizzle.delete(outbox).where(eq(outbox.recipient, person.email));
  // Other accounts continue without them; their own accounts stay with the pseudonym.
  await tx.drizzle
    .delete(memberships)
    .where(and(eq(memberships.userId, userId), ne(memberships.role, 'owner')));
  const pseudonym = `${userId}@deleted.invalid`;
  await tx.drizzle
    .update(users)
    .set({
      email: pseudonym,
      name: null,
      // No password has this hash.
      passwordHash: '',
      emailVerifiedAt: null,
      isOperator: false,
      deletedAt: at,
      lastAccountId: null,
      theme: null,
      timeZone: null,
      moneyPrecision: 'rounded',
    })
    .where(eq(users.id, userId));
  await tx.drizzle
    .update(payments)
    .set({ payerEmail: pseudonym })
    .where(eq(payments.payerEmail, person.email));
  await tx.drizzle
    .update(billingDocuments)
    .set({ payerEmail: pseudonym })
    .where(eq(billingDocuments.payerEmail, person.email));
  if (accountIds.length === 0) return;
  await tx.drizzle.update(accounts).set({ name: 'Deleted account' }).where(inArray(accounts.id, accountIds));
  // Documents keep the company, its address and its tax ID, which the books need.
  await tx.drizzle
    .update(billingDocuments)
    .set({ accountName: 'Deleted account' })
    .where(inArray(billingDocuments.accountId, accountIds));
  // Without a receipt, the books do not need the customer.
  await tx.drizzle
    .update(payments)
    .set({
      addedTaxes: sql`jsonb_set(${payments.addedTaxes}, '{customer}', ${JSON.stringify(NO_DETAILS)}::jsonb)`,
    })
    .where(
      and(inArray(payments.accountId, accountIds), isNull(payments.paidAt), isNotNull(payments.addedTaxes)),
    );
  await removeCustomers(tx, accountIds);
  await deleteAllStored(tx, accountIds);
  for (const table of [autoTopUps, balanceAlerts, billingDetails, ownCredentials, savedViews])
    await tx.drizzle.delete(table).where(inArray(table.accountId, accountIds));
}

/** How many payments of accounts are pending, or have a refund without a result. */
export async function countOpenPayments(db: Connection, accountIds: string[]): Promise<number> {
  if (accountIds.length === 0) return 0;
  const hasOpenRefund = sql`EXISTS (SELECT 1 FROM ${refundRequests} r
    WHERE r.payment_id = ${payments.id} AND r.state = 'open')`;
  const [row] = await db.drizzle
    .select({ open: count() })
    .from(payments)
    .where(and(inArray(payments.accountId, accountIds), or(eq(payments.state, 'pending'), hasOpenRefund)));
  return row?.open ?? 0;
}
