import { createId } from '@tollgate/core/runtime/ids';
import { and, asc, eq } from 'drizzle-orm';
import { passkeys } from '../../schema/second-factors.ts';
import { users } from '../../schema/users.ts';
import type { Connection } from '../../transaction.ts';

export type Passkey = typeof passkeys.$inferSelect;
export type NewPasskey = Omit<typeof passkeys.$inferInsert, 'id' | 'lastUsedAt'>;

/** The passkeys of a person, the oldest first. */
export async function listPasskeys(db: Connection, userId: string): Promise<Passkey[]> {
  return db.drizzle
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
}

/** @returns null if it is registered already, for this person or another */
export async function insertPasskey(db: Connection, passkey: NewPasskey): Promise<Passkey | null> {
  const [row] = await db.drizzle
    .insert(passkeys)
    .values({ id: createId('pk'), ...passkey })
    .onConflictDoNothing({ target: passkeys.credentialId })
    .returning();
  return row ?? null;
}

/** A passkey and its owner, by credential id, locked until the transaction ends. */
export async function lockPasskey(
  db: Connection,
  credentialId: Buffer,
): Promise<{ passkey: Passkey; user: typeof users.$inferSelect } | null> {
  const [row] = await db.drizzle
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, credentialId))
    .for('update', { of: passkeys });
  return row ?? null;
}

export async function markPasskeyUsed(
  db: Connection,
  use: { id: string; counter: number; at: Date },
): Promise<void> {
  await db.drizzle
    .update(passkeys)
    .set({ counter: use.counter, lastUsedAt: use.at })
    .where(eq(passkeys.id, use.id));
}

/** @returns false if the person has no such passkey */
export async function renamePasskey(
  db: Connection,
  passkey: { userId: string; id: string; name: string },
): Promise<boolean> {
  const renamed = await db.drizzle
    .update(passkeys)
    .set({ name: passkey.name })
    .where(isOwnedBy(passkey))
    .returning({ id: passkeys.id });
  return renamed.length > 0;
}

/** @returns its name; null if the person has no such passkey */
export async function deletePasskey(
  db: Connection,
  passkey: { userId: string; id: string },
): Promise<string | null> {
  const [removed] = await db.drizzle
    .delete(passkeys)
    .where(isOwnedBy(passkey))
    .returning({ name: passkeys.name });
  return removed?.name ?? null;
}

export async function deletePasskeysOfUser(db: Connection, userId: string): Promise<void> {
  await db.drizzle.delete(passkeys).where(eq(passkeys.userId, userId));
}

function isOwnedBy(passkey: { userId: string; id: string }) {
  return and(eq(passkeys.userId, passkey.userId), eq(passkeys.id, passkey.id));
}
