import { timingSafeEqual } from 'node:crypto';
import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { oneTimeCodes, type ONE_TIME_CODE_PURPOSES } from '../../schema/one-time-codes.ts';
import type { Connection } from '../../transaction.ts';

/** Purposes of a code or link that is emailed to a person. */
export type CodePurpose = Exclude<(typeof ONE_TIME_CODE_PURPOSES)[number], 'operator_setup'>;

export interface NewCode {
  id: string;
  purpose: CodePurpose;
  userId: string;
  /** The address it is sent to, and so the address it verifies. */
  email: string;
  /** Hash of the six digits, bound to the id; null: the link is the only way. */
  codeHash: Buffer | null;
  /** SHA-256 of the device cookie of the browser that requested the code; null: a link without a code. */
  browser: Buffer | null;
  /** SHA-256 of the token in the link. */
  tokenHash: Buffer;
  createdAt: Date;
  /** When the link ends; the digits end sooner. */
  expiresAt: Date;
}

/** Six digits are guessable, so they live for minutes; the link of the same email may live for a day. */
const CODE_LIFE_MS = 15 * 60_000;

export interface SpentCode {
  userId: string;
  email: string;
}

export async function insertCode(db: Connection, code: NewCode): Promise<void> {
  await db.drizzle.insert(oneTimeCodes).values(code);
}

/** Ends the unused codes and links of a person, for one purpose or for all. */
export async function revokeCodes(db: Connection, userId: string, purpose?: CodePurpose): Promise<void> {
  await db.drizzle
    .delete(oneTimeCodes)
    .where(
      and(
        eq(oneTimeCodes.userId, userId),
        purpose === undefined
          ? sql`${oneTimeCodes.purpose} <> 'operator_setup'`
          : eq(oneTimeCodes.purpose, purpose),
        isNull(oneTimeCodes.usedAt),
      ),
    );
}

/**
 * Spends the newest code that this browser requested, or one attempt of it if the digits are wrong: the transaction
 * must be committed either way. Other browsers have no attempts, so a stranger cannot use up the attempts of a code.
 * A code without attempts is dead, but the link of the same email still works.
 * @param attempt.computeHash the hash that the digits would have under a code's id
 * @returns null if the code is wrong, used, expired or out of attempts
 */
export async function spendCode(
  db: Connection,
  attempt: {
    purpose: CodePurpose;
    userId: string;
    /** SHA-256 of the device cookie; null: the browser sent none. */
    browser: Buffer | null;
    computeHash: (codeId: string) => Buffer;
    nowMs: number;
  },
): Promise<SpentCode | null> {
  if (attempt.browser === null) return null;
  const [code] = await db.drizzle
    .select()
    .from(oneTimeCodes)
    .where(
      and(
        eq(oneTimeCodes.userId, attempt.userId),
        eq(oneTimeCodes.purpose, attempt.purpose),
        eq(oneTimeCodes.browser, attempt.browser),
      ),
    )
    .orderBy(desc(oneTimeCodes.createdAt), desc(oneTimeCodes.id))
    .limit(1)
    .for('update');
  if (code === undefined || code.codeHash === null || code.email === null) return null;
  const endsMs = Math.min(code.createdAt.getTime() + CODE_LIFE_MS, code.expiresAt.getTime());
  if (code.usedAt !== null || endsMs <= attempt.nowMs || code.attemptsLeft === 0) return null;
  const isRight = timingSafeEqual(code.codeHash, attempt.computeHash(code.id));
  await db.drizzle
    .update(oneTimeCodes)
    .set(isRight ? { usedAt: new Date(attempt.nowMs) } : { attemptsLeft: code.attemptsLeft - 1 })
    .where(eq(oneTimeCodes.id, code.id));
  return isRight ? { userId: attempt.userId, email: code.email } : null;
}

/** The owner of a link; null if it is unknown, used or expired. */
export async function findLinkOwner(
  db: Connection,
  link: { purpose: CodePurpose; tokenHash: Buffer; nowMs: number },
): Promise<string | null> {
  const [code] = await db.drizzle
    .select({ userId: oneTimeCodes.userId })
    .from(oneTimeCodes)
    .where(isLive(link));
  return code?.userId ?? null;
}

/** Spends a link. @returns null if it is unknown, used or expired */
export async function spendLink(
  db: Connection,
  link: { purpose: CodePurpose; tokenHash: Buffer; nowMs: number },
): Promise<SpentCode | null> {
  const [code] = await db.drizzle
    .update(oneTimeCodes)
    .set({ usedAt: new Date(link.nowMs) })
    .where(isLive(link))
    .returning({ userId: oneTimeCodes.userId, email: oneTimeCodes.email });
  if (code === undefined || code.userId === null || code.email === null) return null;
  return { userId: code.userId, email: code.email };
}

/** Deletes what expired before `before`. */
export async function deleteOldCodes(db: Connection, before: Date): Promise<void> {
  await db.drizzle.delete(oneTimeCodes).where(lt(oneTimeCodes.expiresAt, before));
}

function isLive(link: { purpose: CodePurpose; tokenHash: Buffer; nowMs: number }) {
  return and(
    eq(oneTimeCodes.tokenHash, link.tokenHash),
    eq(oneTimeCodes.purpose, link.purpose),
    isNull(oneTimeCodes.usedAt),
    gt(oneTimeCodes.expiresAt, new Date(link.nowMs)),
  );
}
