import type { LedgerBatch, LedgerCommit } from '@tollgate/core/money/ledger';
import type { Database } from '@tollgate/db/client';
import { commitLedgerBatch } from '@tollgate/db/queries/ledger/commit-batch';

/** Settles and admits records; by default as the replica `rep_test` and as first attempt. */
export async function commitBatch(db: Database, batch: Partial<LedgerBatch>): Promise<LedgerCommit> {
  return commitLedgerBatch(db.sql, {
    replicaId: 'rep_test',
    settlements: [],
    holds: [],
    isRetry: false,
    ...batch,
  });
}
