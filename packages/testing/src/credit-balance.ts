import { randomUUID } from 'node:crypto';
import type { Database } from '@tollgate/db/client';
import { postLedgerEntry } from '@tollgate/db/queries/ledger/post-entry';

/** Credits an account on each call; 0 does nothing. */
export async function creditBalance(
  db: Database,
  { accountId, amountNanoUsd }: { accountId: string; amountNanoUsd: bigint },
): Promise<void> {
  if (amountNanoUsd === 0n) return;
  await postLedgerEntry(db, {
    accountId,
    kind: 'credit',
    debit: 'credits',
    credit: 'wallet',
    amountNanoUsd,
    idempotencyKey: `gift ${randomUUID()}`,
  });
}
