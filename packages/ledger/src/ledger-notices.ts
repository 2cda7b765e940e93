import { FailureNotice } from './failure-notice.ts';
import type { LedgerLog } from './ledger-store.ts';

/** What the ledger says of its database: a line when it fails, and a line when it works again. */
export interface LedgerNotices {
  database: FailureNotice;
  /** Settlements that neither the database nor the spool takes, when no more of them fit into memory. */
  lost: FailureNotice;
}

export function createLedgerNotices(log: LedgerLog): LedgerNotices {
  return {
    database: new FailureNotice(log, {
      failing: 'the ledger cannot be written',
      working: 'the ledger can be written again',
    }),
    lost: new FailureNotice(log, {
      failing:
        'settlements can be recorded nowhere, and memory is full: those that the journal does not hold are lost',
      working: 'settlements can be recorded again',
    }),
  };
}
