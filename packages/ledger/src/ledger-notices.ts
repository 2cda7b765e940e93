import { FailureNotice } from './failure-notice.ts';
import type { LedgerLog } from './ledger-store.ts';

/** Log messages about the database: one on failure and one on recovery. */
export interface LedgerNotices {
  database: FailureNotice;
  /** Settlements dropped because database and spool fail and memory is full. */
  lost: FailureNotice;
}

export function createLedgerNotices(log: LedgerLog): LedgerNotices {
  return {
    database: new FailureNotice(log, {
      failing: 'the ledger cannot be written',
      working: 'the ledger can be written again',
    }),
    lost: new FailureNotice(log, {
      failing: 'settlements cannot be stored, and memory is full: settlements outside the journal are lost',
      working: 'settlements can be recorded again',
    }),
  };
}
