import { and, count, eq, isNull, lt } from 'drizzle-orm';
import { recoveryCodes, spentTickets, totpSecrets } from '../../schema/second-factors.ts';
import type { Connection } from '../../transaction.ts';

export type TotpSecret = typeof totpSecrets.$inferSelect;

/** The secret of a person's authenticator, confirmed or not; null: none. */
export async function findTotp(db: Connection, userId: string): Promise<TotpSecret | null> {
  const [row] = await db.drizzle.select().from(totpSecrets).where(eq(totpSecrets.userId, userId));
  return row ?? null;
}

/** Reads it and locks its row until the transaction ends: a code is accepted once, even if it is sent twice concurrently. */
export async function lockTotp(db: Connection, userId: string): Promise<TotpSecret | null> {
  const [row] = await db.drizzle
    .select()
    .from(totpSecrets)
    .where(eq(totpSecrets.userId, userId))
    .for('update');
  return row ?? null;
}

/** Stores an unconfirmed secret, instead of a previous unconfirmed one. @returns false if a confirmed one exists */
export async function startTotp(
  db: Connection,
  totp: { userId: string; secretSealed: Buffer; createdAt: Date },
): Promise<boolean> {
  const { secretSealed, createdAt } = totp;
  const kept = await db.drizzle
    .insert(totpSecrets)
    .values(totp)
    .onConflictDoUpdate({
      target: totpSecrets.userId,
      set: { secretSealed, createdAt },
      setWhere: isNull(totpSecrets.confirmedAt),
    })
    .returning({ userId: totpSecrets.userId });
  return kept.length > 0;
}

/** Records that a step's code was used, and with `confirmedAt` that sign-ins require a code. */
export async function markTotpUsed(
  db: Connection,
  use: { userId: string; step: number; confirmedAt?: Date },
): Promise<void> {
  await db.drizzle
    .update(totpSecrets)
    .set({ lastUsedStep: use.step, ...(use.confirmedAt && { confirmedAt: use.confirmedAt }) })
    .where(eq(totpSecrets.userId, use.userId));
}

/** Takes the authenticator and all recovery codes away. */
export async function deleteTotp(db: Connection, userId: string): Promise<void> {
  await db.drizzle.delete(totpSecrets).where(eq(totpSecrets.userId, userId));
  await db.drizzle.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(
  db: Connection,
  codes: { userId: string; hashes: Buffer[] },
): Promise<void> {
  const { userId, hashes } = codes;
  await db.drizzle.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await db.drizzle.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })));
}

/** Spends a recovery code. @returns false if it is unknown or was used */
export async function spendRecoveryCode(
  db: Connection,
  code: { userId: string; hash: Buffer; now: Date },
): Promise<boolean> {
  const spent = await db.drizzle
    .update(recoveryCodes)
    .set({ usedAt: code.now })
    .where(
      and(
        eq(recoveryCodes.userId, code.userId),
        eq(recoveryCodes.codeHash, code.hash),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ userId: recoveryCodes.userId });
  return spent.length > 0;
}

/** How many recovery codes a person has left. */
export async function countRecoveryCodes(db: Connection, userId: string): Promise<number> {
  const [row] = await db.drizzle
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.left ?? 0;
}

/** Uses a one-time ticket. @returns false if it was used before */
export async function spendTicket(
  db: Connection,
  ticket: { hash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const spent = await db.drizzle
    .insert(spentTickets)
    .values(ticket)
    .onConflictDoNothing()
    .returning({ hash: spentTickets.hash });
  return spent.length > 0;
}

/** Deletes used tickets that have expired anyway. */
export async function deleteOldTickets(db: Connection, now: Date): Promise<void> {
  await db.drizzle.delete(spentTickets).where(lt(spentTickets.expiresAt, now));
}
