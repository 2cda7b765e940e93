import { createId } from '@tollgate/core/runtime/ids';
import { eq } from 'drizzle-orm';
import { ledgerEntries } from '../../schema/ledger.ts';
import type { Connection } from '../../transaction.ts';

export type LedgerEntry = typeof ledgerEntries.$inferSelect;

export interface NewLedgerEntry {
  accountId: string;
  kind: LedgerEntry['kind'];
  debit: LedgerEntry['debit'];
  credit: LedgerEntry['credit'];
  /** More than 0. */
  amountNanoUsd: bigint;
  idempotencyKey: string;
  reason?: string | null;
  paymentId?: string | null;
}

/**
 * Posts an entry; a trigger changes the balance with it and notifies every replica.
 * @returns false if an entry of this idempotency key exists already: no balance has changed
 */
export async function postLedgerEntry(db: Connection, entry: NewLedgerEntry): Promise<boolean> {
  const posted = await db.drizzle
    .insert(ledgerEntries)
    .values({ id: createId('led'), ...entry })
    .onConflictDoNothing({ target: ledgerEntries.idempotencyKey })
    .returning({ id: ledgerEntries.id });
  return posted.length > 0;
}

/** Whether an entry of this idempotency key is there. */
export async function isEntryPosted(db: Connection, idempotencyKey: string): Promise<boolean> {
  const found = await db.drizzle
    .select({ id: ledgerEntries.id })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.idempotencyKey, idempotencyKey));
  return found.length > 0;
}
