import { createId } from '@tollgate/core/runtime/ids';
import { and, asc, eq } from 'drizzle-orm';
import { identities, type IDENTITY_PROVIDERS } from '../../schema/identities.ts';
import type { Connection } from '../../transaction.ts';

export type IdentityProvider = (typeof IDENTITY_PROVIDERS)[number];
export type Identity = typeof identities.$inferSelect;

export interface NewIdentity {
  userId: string;
  provider: IdentityProvider;
  issuer: string;
  subject: string;
  /** As the provider names it. */
  email: string;
}

/** The user of an issuer's identity; null: none yet. */
export async function findIdentity(
  db: Connection,
  who: { issuer: string; subject: string },
): Promise<Identity | null> {
  const [identity] = await db.drizzle
    .select()
    .from(identities)
    .where(and(eq(identities.issuer, who.issuer), eq(identities.subject, who.subject)));
  return identity ?? null;
}

/** @returns false if the identity belongs to a user already, or the person has another one at that issuer */
export async function insertIdentity(db: Connection, identity: NewIdentity): Promise<boolean> {
  const rows = await db.drizzle
    .insert(identities)
    .values({ id: createId('idn'), ...identity })
    .onConflictDoNothing()
    .returning({ id: identities.id });
  return rows.length > 0;
}

/** Notes a sign-in, and the address that the provider names now. */
export async function markIdentityUsed(
  db: Connection,
  use: { id: string; email: string; at: Date },
): Promise<void> {
  await db.drizzle
    .update(identities)
    .set({ lastUsedAt: use.at, email: use.email })
    .where(eq(identities.id, use.id));
}

export async function listIdentities(db: Connection, userId: string): Promise<Identity[]> {
  return db.drizzle
    .select()
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.createdAt), asc(identities.id));
}

/** @returns what was removed; null if the person has no identity of that id */
export async function deleteIdentity(
  db: Connection,
  which: { id: string; userId: string },
): Promise<Identity | null> {
  const [identity] = await db.drizzle
    .delete(identities)
    .where(and(eq(identities.id, which.id), eq(identities.userId, which.userId)))
    .returning();
  return identity ?? null;
}
