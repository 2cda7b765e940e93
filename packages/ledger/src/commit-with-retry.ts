import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerStoreError, type LedgerBatch, type LedgerCommit } from '@tollgate/core/money/ledger';
import type { LedgerLog, LedgerStore } from './ledger-store.ts';

const RETRY_AFTER_MS = 50;

/**
 * Commits a batch and retries once if the database did not respond, because a connection may break after
 * the commit. Never throws: unexpected errors count as temporary, so that nothing is lost.
 * @param isKnownToFail true: the failure is already logged
 */
export async function commitWithRetry(
  { store, log }: { store: LedgerStore; log: LedgerLog },
  batch: LedgerBatch,
  isKnownToFail: boolean,
): Promise<LedgerCommit | LedgerStoreError['kind']> {
  const first = await commitOnce({ store, log }, batch, isKnownToFail);
  if (first !== 'unavailable') return first;
  await sleep(RETRY_AFTER_MS);
  return commitOnce({ store, log }, { ...batch, isRetry: true }, isKnownToFail);
}

async function commitOnce(
  { store, log }: { store: LedgerStore; log: LedgerLog },
  batch: LedgerBatch,
  isKnownToFail: boolean,
): Promise<LedgerCommit | LedgerStoreError['kind']> {
  try {
    return await store.commit(batch);
  } catch (error) {
    const kind = error instanceof LedgerStoreError ? error.kind : 'unavailable';
    const size = batch.settlements.length + batch.holds.length;
    const fields = { err: error, size, isRetry: batch.isRetry };
    if (kind === 'rejected' || !isKnownToFail) log.warn(fields, 'a batch of the ledger was not committed');
    return kind;
  }
}
