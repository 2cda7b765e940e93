import { and, asc, count, eq, isNotNull, ne, or } from 'drizzle-orm';
import { accounts } from '../../schema/accounts.ts';
import { providers } from '../../schema/catalogue.ts';
import { ownCredentials, type OwnCredentialMode } from '../../schema/own-credentials.ts';
import { inTransaction, type Connection } from '../../transaction.ts';
import { describeChange, recordAudit } from '../audit/audit.ts';

export type OwnCredentialRow = typeof ownCredentials.$inferSelect;

/** A provider that accounts may attach a credential for, and the account's credential without its value. */
export interface OwnCredentialChoice {
  providerId: string;
  name: string;
  preset: string | null;
  /** False: the operator does not allow it any more. */
  isAllowed: boolean;
  /** null: the account has none. */
  credential: Pick<OwnCredentialRow, 'mode' | 'changedAt'> | null;
}

/** The providers that allow it or that the account has a credential for, by name. */
export async function listOwnCredentials(db: Connection, accountId: string): Promise<OwnCredentialChoice[]> {
  const rows = await db.drizzle
    .select({
      providerId: providers.id,
      name: providers.name,
      preset: providers.preset,
      isAllowed: providers.allowsOwnCredentials,
      mode: ownCredentials.mode,
      changedAt: ownCredentials.changedAt,
    })
    .from(providers)
    .leftJoin(
      ownCredentials,
      and(eq(ownCredentials.providerId, providers.id), eq(ownCredentials.accountId, accountId)),
    )
    .where(
      and(
        ne(providers.dialect, 'demo'),
        or(eq(providers.allowsOwnCredentials, true), isNotNull(ownCredentials.mode)),
      ),
    )
    .orderBy(asc(providers.name));
  return rows.map(({ mode, changedAt, ...provider }) => ({
    ...provider,
    credential: mode === null || changedAt === null ? null : { mode, changedAt },
  }));
}

/** @returns null if the account has none for the provider */
export async function findOwnCredential(
  db: Connection,
  { accountId, providerId }: { accountId: string; providerId: string },
): Promise<OwnCredentialRow | null> {
  const [row] = await db.drizzle
    .select()
    .from(ownCredentials)
    .where(and(eq(ownCredentials.accountId, accountId), eq(ownCredentials.providerId, providerId)));
  return row ?? null;
}

/**
 * Attaches a credential of an account to a provider, or changes it.
 * @param change.credentialSealed null: the value stays
 * @returns false if the provider does not allow it, or there is no value to keep
 */
export async function setOwnCredential(
  db: Connection,
  change: {
    accountId: string;
    providerId: string;
    mode: OwnCredentialMode;
    credentialSealed: Buffer | null;
    actorUserId: string;
    at: Date;
  },
): Promise<boolean> {
  const { accountId, providerId, mode, credentialSealed, actorUserId, at: changedAt } = change;
  return inTransaction(db, async (tx) => {
    const [provider] = await tx.drizzle
      .select({ name: providers.name })
      .from(providers)
      .where(and(eq(providers.id, providerId), eq(providers.allowsOwnCredentials, true)))
      .for('key share');
    if (provider === undefined) return false;
    if (credentialSealed !== null)
      await tx.drizzle
        .insert(ownCredentials)
        .values({ accountId, providerId, mode, credentialSealed, createdAt: changedAt, changedAt })
        .onConflictDoUpdate({
          target: [ownCredentials.accountId, ownCredentials.providerId],
          set: { mode, credentialSealed, changedAt },
        });
    else {
      const changed = await tx.drizzle
        .update(ownCredentials)
        .set({ mode })
        .where(and(eq(ownCredentials.accountId, accountId), eq(ownCredentials.providerId, providerId)))
        .returning({ mode: ownCredentials.mode });
      if (changed.length === 0) return false;
    }
    const detail = { provider: provider.name, mode, valueChanged: credentialSealed !== null };
    const action = 'account.own_credential_set';
    await recordAudit(tx, { actorUserId, accountId, action, subject: accountId, detail });
    return true;
  });
}

/** @returns false if the account has none for the provider */
export async function removeOwnCredential(
  db: Connection,
  removed: { accountId: string; providerId: string; actorUserId: string | null },
): Promise<boolean> {
  const { accountId, providerId, actorUserId } = removed;
  return inTransaction(db, async (tx) => {
    const deleted = await tx.drizzle
      .delete(ownCredentials)
      .where(and(eq(ownCredentials.accountId, accountId), eq(ownCredentials.providerId, providerId)))
      .returning({ mode: ownCredentials.mode });
    if (deleted.length === 0) return false;
    const [provider] = await tx.drizzle
      .select({ name: providers.name })
      .from(providers)
      .where(eq(providers.id, providerId));
    const detail = { provider: provider?.name ?? providerId };
    const action = 'account.own_credential_remove';
    await recordAudit(tx, { actorUserId, accountId, action, subject: accountId, detail });
    return true;
  });
}

/** Accounts with a credential for a provider, without its value: what operators see. */
export async function listAccountsWithOwn(
  db: Connection,
  providerId: string,
): Promise<{ accountId: string; account: string; mode: OwnCredentialMode; changedAt: Date }[]> {
  return db.drizzle
    .select({
      accountId: accounts.id,
      account: accounts.name,
      mode: ownCredentials.mode,
      changedAt: ownCredentials.changedAt,
    })
    .from(ownCredentials)
    .innerJoin(accounts, eq(accounts.id, ownCredentials.accountId))
    .where(eq(ownCredentials.providerId, providerId))
    .orderBy(asc(accounts.name), asc(accounts.id));
}

/** How many accounts have a credential for each provider, by its id. */
export async function countOwnCredentials(db: Connection): Promise<Map<string, number>> {
  const rows = await db.drizzle
    .select({ providerId: ownCredentials.providerId, accounts: count() })
    .from(ownCredentials)
    .groupBy(ownCredentials.providerId);
  return new Map(rows.map(({ providerId, accounts: number }) => [providerId, number]));
}

/** Decides whether accounts may attach credentials. @returns false if there is no provider of that id */
export async function allowOwnCredentials(
  db: Connection,
  { id, isAllowed, actorUserId }: { id: string; isAllowed: boolean; actorUserId: string | null },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const [stored] = await tx.drizzle
      .select({ isAllowed: providers.allowsOwnCredentials })
      .from(providers)
      .where(and(eq(providers.id, id), ne(providers.dialect, 'demo')))
      .for('update');
    if (stored === undefined) return false;
    await tx.drizzle.update(providers).set({ allowsOwnCredentials: isAllowed }).where(eq(providers.id, id));
    await recordAudit(tx, {
      actorUserId,
      action: 'provider.own_credentials',
      subject: id,
      detail: describeChange(stored, { isAllowed }),
    });
    return true;
  });
}
